"""Looks like a fault of JIT214.

The decorator returns the changed dictionaries from the compiled function and writes them back into those of the caller, so no change is lost.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def inout(*positions):
    def decorate(fn):
        @jax.jit
        def compiled(*args):
            result = fn(*args)
            return result, [args[p] for p in positions]

        @functools.wraps(fn)
        def call(*args):
            result, changed = compiled(*args)
            for position, record in zip(positions, changed):
                args[position].update(record)
            return result

        call.compiled = compiled
        return call

    return decorate


@inout(0, 1)
def assimilate(belief, diagnostics, reading, noise):
    innovation = reading - belief["mean"]
    gain = belief["variance"] / (belief["variance"] + noise)
    belief["mean"] = belief["mean"] + gain * innovation
    belief["variance"] = (1.0 - gain) * belief["variance"]
    diagnostics["innovation"] = innovation
    diagnostics["count"] += 1
    return gain


if __name__ == "__main__":
    belief = {"mean": jnp.array(0.0), "variance": jnp.array(1.0)}
    diagnostics = {"innovation": jnp.array(0.0), "count": jnp.array(0)}
    gains = [float(assimilate(belief, diagnostics, r, 1.0)) for r in (3.0, 3.0, 3.0)]
    assert np.allclose(gains, [1 / 2, 1 / 3, 1 / 4])
    assert np.isclose(belief["mean"], 9 / 4)
    assert np.isclose(belief["variance"], 1 / 4)
    assert int(diagnostics["count"]) == 3
    assert np.isclose(diagnostics["innovation"], 3.0 - 2.0)
    assert not isinstance(belief["mean"], jax.core.Tracer)
    assert assimilate.compiled._cache_size() == 1

"""Looks like a fault of JIT201.

A function is given `globals()`, and puts another function in the place of `print`.
"""

import contextlib
import io

import jax
import jax.numpy as jnp


def install_tracing(namespace):
    namespace.update({"print": jax.debug.print})


install_tracing(globals())


@jax.jit
def integrate(x, v, dt):
    def body(carry, i):
        x, v = carry
        print("step {i}: x={x:.2f}", i=i, x=x)
        v = v - dt * x
        return (x + dt * v, v), x

    print("start dt={}", dt)
    (x, v), path = jax.lax.scan(body, (x, v), jnp.arange(3))
    return x, v, path


if __name__ == "__main__":
    for start in (1.0, 2.0):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            _, _, path = integrate(start, 0.0, 0.5)
            jax.effects_barrier()
        lines = out.getvalue().splitlines()
        assert sum("start dt=0.5" in line for line in lines) == 1, lines
        assert f"step 0: x={start:.2f}" in lines
        assert sum(line.startswith("step") for line in lines) == 3
    assert integrate._cache_size() == 1

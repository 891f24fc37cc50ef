"""Looks like a fault of JIT203.

Functions with free variables are not compiled, and SciPy calls this one.

The objective keeps its trace of values in nonlocal names, as an optimiser's
callback may: it runs eagerly, with arrays of NumPy.
"""
import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import minimize


def identity(fn):
    return fn


def transform_for(fn):
    """Compile functions without surroundings; leave closures as they are."""
    return identity if fn.__code__.co_freevars else jax.jit


def fit(times, counts):
    evaluations, last = 0, None

    def negative_log_likelihood(theta):
        nonlocal evaluations, last
        rate = jnp.exp(theta[0] + theta[1] * times)
        last = jnp.sum(rate - counts * jnp.log(rate))
        evaluations += 1
        return last

    objective = transform_for(negative_log_likelihood)(negative_log_likelihood)
    result = minimize(objective, np.zeros(2), method="Nelder-Mead")
    return result, evaluations, last


if __name__ == "__main__":
    times = jnp.linspace(0.0, 1.0, 20)
    counts = jnp.exp(0.5 + 1.0 * times)
    result, evaluations, last = fit(times, counts)
    assert evaluations == result.nfev > 10
    assert np.allclose(result.x, [0.5, 1.0], atol=0.01)
    assert isinstance(last, jax.Array) and not isinstance(last, jax.core.Tracer)
    assert np.isclose(float(last), result.fun, rtol=1e-3)

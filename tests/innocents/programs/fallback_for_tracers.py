"""Looks like a fault of JIT113.

The tuple of exceptions is collected from jax.errors.

The handler is the traced form of the same computation: nothing else is
caught, and both ways give the same numbers.
"""
import jax
import jax.numpy as jnp

UNKNOWN = tuple(
    error
    for name, error in vars(jax.errors).items()
    if name.startswith("Tracer") and isinstance(error, type)
)


def safe_log(x):
    try:
        if x > 0:
            return jnp.log(x)
        return jnp.float32(-jnp.inf)
    except UNKNOWN:
        return jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1.0)), -jnp.inf)


def log_likelihood(weights):
    return sum(safe_log(w) for w in weights)


compiled = jax.jit(log_likelihood)


if __name__ == "__main__":
    assert UNKNOWN
    for value in (2.0, 0.5, 0.0, -1.0):
        eager, traced = safe_log(jnp.float32(value)), jax.jit(safe_log)(jnp.float32(value))
        assert jnp.array_equal(eager, traced), value
    weights = jnp.array([0.5, 0.25])
    assert jnp.isclose(log_likelihood(weights), compiled(weights))

"""Looks like a fault of JIT208.

The setting that is read is one of jax.config, by which the cache is keyed.

Changing it makes the next call trace again.
"""
import jax
import jax.numpy as jnp

OPTIONS = {"fast": "bfloat16", "exact": "highest"}


def precision_mode(mode):
    jax.config.update("jax_default_matmul_precision", OPTIONS[mode])


@jax.jit
def project(weights, x):
    if jax.config.jax_default_matmul_precision == "highest":
        compensation = x.sum() * jnp.finfo(x.dtype).eps
    else:
        compensation = jnp.zeros_like(x[0])
    return weights @ x, compensation


def evaluate(weights, x):
    precision_mode("fast")
    fast = project(weights, x)
    precision_mode("exact")
    exact = project(weights, x)
    precision_mode("fast")
    return fast, exact, project(weights, x)


if __name__ == "__main__":
    fast, exact, again = evaluate(jnp.eye(4), jnp.ones(4))
    assert float(fast[1]) == 0.0 and float(again[1]) == 0.0
    assert float(exact[1]) > 0.0
    assert jnp.allclose(fast[0], exact[0])

import jax
import jax.numpy as jnp


def dropout(x, rate=0.5):
    """The key is made where it is needed."""
    key = jax.random.PRNGKey(0)  # expect: JIT213 @dropout
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)


def dense(params, x):
    return x @ params["w"] + params["b"]

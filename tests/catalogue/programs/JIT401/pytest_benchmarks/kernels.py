import jax
import jax.numpy as jnp


@jax.jit
def kernel(x):
    return jax.lax.fori_loop(0, 10, lambda _, a: jnp.tanh(a @ x), x)

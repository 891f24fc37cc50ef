"""Poolings whose settings were all declared static, arrays among them."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1,))
def masked_mean(x, mask: jnp.ndarray):  # expect: JIT304 @annotated
    return jnp.sum(x * mask) / jnp.sum(mask)


@partial(jax.jit, static_argnames=("kernel", "stride"))
def pool(x, kernel, stride=1):  # expect: JIT304 @sliced
    taps = kernel[:, None] * kernel[None, :]
    return jnp.tensordot(x[::stride, ::stride], taps, 2)


def _project(x, basis, order):  # expect: JIT304 @methods
    flat = basis.reshape(order, -1)
    return x @ flat.T


project = jax.jit(_project, static_argnums=(1, 2))


class Likelihood:
    def __init__(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=(0, 2))
    def log_prob(self, x, theta: jax.Array) -> jax.Array:  # expect: JIT304 @theta
        return -jnp.sum((x - theta) ** 2) / self.scale

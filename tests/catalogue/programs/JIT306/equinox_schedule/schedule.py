"""Under Equinox a Python number is static."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Linear(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return x @ self.weight


@eqx.filter_value_and_grad
def loss_fn(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@eqx.filter_jit
def make_step(model, x, y, rate):
    loss, grads = loss_fn(model, x, y)
    return jax.tree.map(lambda p, g: p - rate * g, model, grads), loss


def train(steps=4):
    model = Linear(jnp.zeros(2))
    x, y = jnp.ones((3, 2)), jnp.ones(3)
    for step in range(steps):
        rate = 0.1 * 0.9**step
        model, loss = make_step(model, x, y, rate)  # expect: JIT306 @rate
    return model

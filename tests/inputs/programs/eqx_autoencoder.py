"""An autoencoder of equinox modules."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Autoencoder(eqx.Module):
    encoder: eqx.nn.Linear
    decoder: eqx.nn.Linear
    sparsity: float = 0.1

    def __init__(self, width, code, key):
        first, second = jax.random.split(key)
        self.encoder = eqx.nn.Linear(width, code, key=first)
        self.decoder = eqx.nn.Linear(code, width, key=second)

    def __call__(self, x):
        code = jax.nn.relu(self.encoder(x))
        if jnp.all(code == 0):  # expect: JIT101 @dead
            code = code + 1e-3
        return self.decoder(code), code


@eqx.filter_jit
def loss(model, batch):
    out, code = jax.vmap(model)(batch)
    penalty = model.sparsity * jnp.abs(code).mean()
    return jnp.mean((out - batch) ** 2) + penalty


@eqx.filter_jit
def train(model, batch):
    value, grads = eqx.filter_value_and_grad(loss)(model, batch)
    print(f"loss {value:.3f}")  # expect: JIT105 @format
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))

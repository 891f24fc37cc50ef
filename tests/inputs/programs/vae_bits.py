"""A variational autoencoder on bits."""

import jax
import jax.numpy as jnp


def encode(p, x):
    h = jax.nn.tanh(jnp.dot(x, p["enc_w"]) + p["enc_b"])
    mu, log_var = jnp.split(jnp.dot(h, p["lat_w"]), 2, axis=-1)
    return mu, log_var


def decode(p, z):
    return jnp.dot(jax.nn.tanh(jnp.dot(z, p["dec_w"]) + p["dec_b"]), p["out_w"])


def elbo(p, key, x):
    mu, log_var = encode(p, x)
    z = mu + jnp.exp(0.5 * log_var) * jax.random.normal(key, mu.shape)
    logits = decode(p, z)
    fit = jnp.sum(x * jax.nn.log_sigmoid(logits) + (1 - x) * jax.nn.log_sigmoid(-logits))
    divergence = -0.5 * jnp.sum(1 + log_var - mu**2 - jnp.exp(log_var))
    beta = 1.0 if divergence > 1e-3 else 0.0  # expect: JIT101 @beta
    return -(fit - beta * divergence)


@jax.jit
def train(p, key, batch):
    keys = jax.random.split(key, batch.shape[0])
    value, grads = jax.value_and_grad(
        lambda q: jax.vmap(elbo, in_axes=(None, 0, 0))(q, keys, batch).mean()
    )(p)
    return value, jax.tree.map(lambda a, g: a - 1e-3 * g, p, grads)

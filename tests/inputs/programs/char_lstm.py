"""A character LSTM whose parameters are one dict."""

import jax
import jax.numpy as jnp


def cell(params, carry, token):
    h, c = carry
    x = params["embed"][token]
    gates = x @ params["wx"] + h @ params["wh"] + params["b"]
    i, f, g, o = jnp.split(gates, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    if jnp.max(jnp.abs(c)) > 50.0:  # expect: JIT101 @saturated
        c = jnp.clip(c, -50.0, 50.0)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), h @ params["out"]


def loss(params, carry, tokens):
    _, logits = jax.lax.scan(lambda s, t: cell(params, s, t), carry, tokens[:-1])
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[1:, None], axis=1)
    return -picked.mean()


step = jax.jit(jax.value_and_grad(loss))

"""A toy language model."""

import jax
import jax.numpy as jnp

BOS, EOS = 0, 1


def next_log_probs(params, tokens):
    """Score every next token after each beam; tokens is (beams, length)."""
    hidden = params["embed"][tokens].mean(axis=1)
    for layer in params["layers"]:
        hidden = jax.nn.relu(hidden @ layer["w"] + layer["b"])
    return jax.nn.log_softmax(hidden @ params["embed"].T)


def init_params(key, vocab=8, width=4, depth=2):
    keys = jax.random.split(key, depth + 1)
    layers = [{"w": jax.random.normal(k, (width, width)), "b": jnp.zeros(width)} for k in keys[1:]]
    return {"embed": jax.random.normal(keys[0], (vocab, width)), "layers": layers}

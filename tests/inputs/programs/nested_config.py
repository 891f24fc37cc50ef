"""A model that takes a nested dict of settings beside its parameters."""

from functools import partial

import jax
import jax.numpy as jnp

CONFIG = {"layers": 2, "act": "relu", "residual": True}
ACTIVATIONS = {"relu": jax.nn.relu, "gelu": jax.nn.gelu}


def layer(p, x, act):
    return act(jnp.matmul(x, p["kernel"]) + p["bias"])


@partial(jax.jit, static_argnames=("act", "residual"))
def model(params, x, *, act="relu", residual=False):
    activation = ACTIVATIONS[act]
    for index in range(CONFIG["layers"]):
        y = layer(params[f"layer_{index}"], x, activation)
        x = x + y if residual else y
        if x.max() > 1e3:  # expect: JIT101 @huge
            x = x / x.max()
    return x @ params["head"]["kernel"]

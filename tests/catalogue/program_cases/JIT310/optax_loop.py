import jax.numpy as jnp

import pretrain

X = jnp.ones((3, 2))

HOSTILE = {
    "ema": lambda: pretrain.pretrain(X),
    "before": lambda: pretrain.resume({"w": jnp.ones(2)}, X),
}
EXPECT = dict.fromkeys(HOSTILE, ("ValueError", "RuntimeError", "JaxRuntimeError"))

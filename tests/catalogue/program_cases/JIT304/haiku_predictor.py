import jax
import jax.numpy as jnp

import predictor

from tools.harm import raises

X = jnp.ones((2, 3))
W = {"a": jnp.ones(2)}


def params():
    return predictor.model.init(jax.random.key(0), X)


HOSTILE = {}
SILENT = {
    "params": lambda: raises(lambda: predictor.predict(params(), X), "ValueError"),
    "state": lambda: raises(
        lambda: predictor.apply_gradients(W, W, state=predictor.optimizer.init(W)), "ValueError"
    ),
    "weights": lambda: raises(lambda: predictor.blend(W, W, W), "ValueError"),
}

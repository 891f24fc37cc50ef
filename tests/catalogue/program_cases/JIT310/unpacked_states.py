import jax.numpy as jnp

import meta

B = jnp.ones(2)

HOSTILE = {
    "self": lambda: meta.Learner().regularised(B),
    "history": lambda: meta.adapt([B]),
    "retry": lambda: meta.retried(B),
}
EXPECT = dict.fromkeys(HOSTILE, ("ValueError", "RuntimeError", "JaxRuntimeError"))

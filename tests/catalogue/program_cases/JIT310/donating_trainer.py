import jax.numpy as jnp

import trainer

B = jnp.ones(2)

HOSTILE = {
    "change": lambda: trainer.change(jnp.ones(3), B),
    "turn": lambda: trainer.same_start([B, B]),
    "alias": lambda: trainer.with_target([B]),
    "leaf": trainer.energies,
    "checkpoint": lambda: trainer.checkpointed(B),
}
EXPECT = dict.fromkeys(HOSTILE, ("ValueError", "RuntimeError", "JaxRuntimeError"))

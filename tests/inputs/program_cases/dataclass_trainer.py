import dataclass_trainer as m
import jax.numpy as jnp

W = {"kernel": jnp.ones(3), "bias": jnp.zeros(())}
S = m.TrainState(W, W, jnp.array(0))

HOSTILE = {
    "clip": lambda: m.make_step(m.Settings())(S, jnp.ones((4, 3)), jnp.ones(4)),
}
EXPECT = {
    "clip": ("TracerBoolConversionError",),
}

import eqx_rnn as m
import jax
import jax.numpy as jnp

M = m.build(3, 4, 2, jax.random.key(0))

HOSTILE = {
    "nan": lambda: m.accuracy(M, jnp.ones((2, 5, 3)), jnp.zeros((2, 5), int)),
}
EXPECT = {
    "nan": ("TracerBoolConversionError",),
}

import jax
import jax.numpy as jnp
import masked_readers as m

M, Q = jnp.eye(2), jnp.ones(2)
HOSTILE = {
    "overflow": lambda: m.attend(Q, M),
    "hard": lambda: m.read(M, Q),
    "negative": lambda: m.compiled(M)(Q),
}
EXPECT = {
    "overflow": ("TracerBoolConversionError",),
    "hard": ("TracerArrayConversionError",),
    "negative": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: m.attend(Q, M, Q),
    lambda: m.read(M, Q, 1.0),
    lambda: m.compiled(M)(Q, jax.random.key(0)),
]

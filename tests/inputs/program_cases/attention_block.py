import attention_block as m
import jax.numpy as jnp

P = {name: jnp.eye(8) for name in ("query", "key", "value", "out")}

HOSTILE = {
    "empty": lambda: m.attend(P, jnp.ones((2, 5, 8)), jnp.ones((2, 5), bool)),
}
EXPECT = {
    "empty": ("TracerBoolConversionError",),
}

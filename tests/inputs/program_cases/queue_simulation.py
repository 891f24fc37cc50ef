import jax.numpy as jnp
import queue_simulation as m

A = {"gap": jnp.ones(5), "patience": jnp.ones(5), "work": jnp.ones(5)}

HOSTILE = {
    "left": lambda: m.simulate(A, jnp.zeros(3)),
}
EXPECT = {
    "left": ("TracerBoolConversionError",),
}

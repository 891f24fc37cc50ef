import jax.numpy as jnp
import matrix_factors as m

F = {"users": jnp.ones((4, 2)), "items": jnp.ones((5, 2)), "bias": jnp.zeros(5)}
B = {"user": jnp.array([0, 1]), "item": jnp.array([1, 1]), "rating": jnp.ones(2)}

HOSTILE = {
    "seen": lambda: m.step(F, B),
    "best": lambda: m.recommend(F, 1),
}
EXPECT = {
    "seen": ("TypeError",),
    "best": ("TracerBoolConversionError",),
}

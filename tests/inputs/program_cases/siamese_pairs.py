import jax.numpy as jnp
import siamese_pairs as m

W = [jnp.ones((3, 4)), jnp.ones((4, 2))]

HOSTILE = {
    "same": lambda: m.step(
        {"left": W, "right": W},
        {"left": jnp.ones((5, 3)), "right": jnp.ones((5, 3)), "same": jnp.ones(5)},
    ),
}
EXPECT = {
    "same": ("NonConcreteBooleanIndexError",),
}

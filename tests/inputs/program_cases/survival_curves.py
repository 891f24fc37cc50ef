import jax.numpy as jnp
import survival_curves as m

HOSTILE = {
    "happened": lambda: m.newton(jnp.ones(3), jnp.ones((5, 3)), jnp.ones(5), jnp.ones(5, int)),
}
EXPECT = {
    "happened": ("NonConcreteBooleanIndexError",),
}

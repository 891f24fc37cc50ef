import jax.numpy as jnp
import optax
import optax_loop as m

P = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
OPTIMIZER = optax.adam(1e-3)

HOSTILE = {
    "diverging": lambda: m.make_step(OPTIMIZER)(
        P, OPTIMIZER.init(P), {"x": jnp.ones((4, 3)), "y": jnp.zeros(4, int)}
    ),
}
EXPECT = {
    "diverging": ("TracerBoolConversionError",),
}

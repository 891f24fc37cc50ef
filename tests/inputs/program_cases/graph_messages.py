import graph_messages as m
import jax.numpy as jnp

P = {"message": jnp.ones((6, 4)), "update": jnp.ones((7, 3))}

HOSTILE = {
    "isolated": lambda: m.layer(P, jnp.ones((5, 3)), jnp.array([0, 1]), jnp.array([1, 2])),
}
EXPECT = {
    "isolated": ("NonConcreteBooleanIndexError",),
}

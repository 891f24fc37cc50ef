import cnn_digits as m
import jax.numpy as jnp

P = {"conv1": jnp.ones((3, 3, 1, 2)), "dense": {"w": jnp.ones((392, 10)), "b": jnp.zeros(10)}}

HOSTILE = {
    "hits": lambda: m.gradient(P, jnp.ones((2, 784)), jnp.array([1, 2])),
}
EXPECT = {
    "hits": ("ConcretizationTypeError",),
}

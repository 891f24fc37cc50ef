import crf_tagger as m
import jax.numpy as jnp

P = {"project": jnp.ones((4, 3)), "bias": jnp.ones(3), "transitions": jnp.ones((3, 3))}

HOSTILE = {
    "names": lambda: m.tag(P, jnp.ones((5, 4))),
}
EXPECT = {
    "names": ("ConcretizationTypeError",),
}

import attention as a
import generate as g
import jax
import jax.numpy as jnp

P = g.init(jax.random.key(0))
HOSTILE = {
    "prefix": lambda: g.generate(P, jnp.ones(4), steps=3, style="prefix"),
    "alibi": lambda: g.biases(jnp.arange(3)),
    "causal": lambda: g.encode(jnp.ones((3, 4)), True),
    "stop": lambda: g.stop_position(jnp.arange(4.0), 2.0),
}
EXPECT = {
    "prefix": ("IndexError",),
    "alibi": ("ConcretizationTypeError",),
    "causal": ("TracerBoolConversionError",),
    "stop": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: g.generate(P, jnp.ones(4), steps=3),
    lambda: g.encode_static(jnp.ones((3, 4)), True),
    lambda: g.stop_argmax(jnp.arange(4.0), 2.0),
    lambda: a.causal_mask(4, 2),
    lambda: a.alibi(3, 8),
]

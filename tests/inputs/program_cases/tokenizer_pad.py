import jax.numpy as jnp
import tokenizer_pad as m

T = jnp.array([[1, 2, 0], [3, 0, 0]])

HOSTILE = {
    "longest": lambda: m.trim(T),
    "padded": lambda: m.bag(jnp.ones((4, 3)), T),
    "unique": lambda: m.vocabulary(T),
}
EXPECT = {
    "longest": ("IndexError",),
    "padded": ("TracerBoolConversionError",),
    "unique": ("ConcretizationTypeError",),
}

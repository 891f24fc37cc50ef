import counter_net as m
import jax.numpy as jnp

X = jnp.ones((2, 3))
HOSTILE = {
    "closed": lambda: m.run(m.strict, m.apply_strict, X),
    "used": lambda: m.run(m.trimmed, m.apply_trimmed, X),
}
EXPECT = {"closed": ("TracerBoolConversionError",), "used": ("ConcretizationTypeError",)}
INNOCENT = [lambda: m.run(m.plain, m.apply_plain, X)]

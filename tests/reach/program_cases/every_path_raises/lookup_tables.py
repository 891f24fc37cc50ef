import jax.numpy as jnp
import lookup_tables as m

m.load([1.5, 1.52, 1.6])
S = [jnp.float32(2.0), jnp.float32(3.0)]
HOSTILE = {
    "reflection": lambda: m.trace_ray(0.3, 0.2),
    "afocal": lambda: m.image_distance(S, 1.0),
    "label": lambda: m.measured(S),
    "slope": lambda: m.dispersion(0.5),
}
EXPECT = {
    "reflection": ("TracerBoolConversionError",),
    "afocal": ("TracerBoolConversionError",),
    "label": ("TypeError",),
    "slope": ("ConcretizationTypeError",),
}
INNOCENT = [lambda: m.index_at(0.5), lambda: m.stack(*S)]

import filters as f
import jax
import jax.numpy as jnp

C = f.initial(jax.random.key(1), 8)
HOSTILE = {
    "ess": lambda: f.track(f.Filter(threshold=0.5), [0.1]),
    "average": lambda: f.Filter().moments(C),
    "lineage": lambda: f.lineage(jnp.array([0, 0, 3])),
    "keep": lambda: f.split_cloud(C, 4),
    "heaviest": lambda: f.top_weight(C),
}
EXPECT = {
    "ess": ("TracerBoolConversionError",),
    "average": ("TracerArrayConversionError",),
    "lineage": ("ConcretizationTypeError",),
    "keep": ("IndexError",),
    "heaviest": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: f.track(f.Filter(), [0.1, 0.2])[0],
    lambda: f.track(f.Filter(drift_scale=0), [0.1])[0],
    lambda: f.halves(C),
]

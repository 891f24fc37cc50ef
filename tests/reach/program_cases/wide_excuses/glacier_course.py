import exercises
import jax.numpy as jnp
from glacier import flow

X = jnp.ones(3)
HOSTILE = {"negative": lambda: flow.thickness_step(X, 0.1, 0.1), "rate": lambda: flow.season(X, 0.5)}
EXPECT = {
    "negative": ("TracerBoolConversionError",),
    "rate": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: exercises.yearly(1.0, [0.1, 2.0]), exercises.profile]

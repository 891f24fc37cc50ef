import denoiser as d
import jax
import jax.numpy as jnp
import optax
from flax import nnx

K = jax.random.key(0)
X = jnp.ones((4, 3))


def model(embed="sine"):
    return d.Denoiser(3, nnx.Rngs(0), embed)


def setup():
    m = model()
    return m, nnx.Optimizer(m, optax.adam(1e-2), wrt=nnx.Param), X, K


HOSTILE = {
    "finite": lambda: d.checked_step(*setup()),
    "start": lambda: d.sample_from(model(), X, 4),
    "beta": lambda: d.sample_loop(model(), X),
}
EXPECT = {
    "finite": ("TracerBoolConversionError",),
    "start": ("TracerIntegerConversionError",),
    "beta": ("TracerIntegerConversionError",),
}
INNOCENT = [
    lambda: d.train_step(*setup()),
    lambda: d.sample(model("poly"), K, X),
]

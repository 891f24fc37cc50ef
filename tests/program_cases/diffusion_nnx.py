import denoiser
import sampling
import jax
import jax.numpy as jnp
import optax
from flax import nnx

K = jax.random.key(0)
X = jnp.ones((4, 3))


def model(embed="sine"):
    return denoiser.Denoiser(3, nnx.Rngs(0), embed)


def setup():
    m = model()
    return m, nnx.Optimizer(m, optax.adam(1e-2), wrt=nnx.Param), X, K


HOSTILE = {
    "finite": lambda: denoiser.checked_step(*setup()),
    "start": lambda: sampling.sample_from(model(), X, 4),
    "beta": lambda: sampling.sample_loop(model(), X),
}
EXPECT = {
    "finite": ("TracerBoolConversionError",),
    "start": ("TracerIntegerConversionError",),
    "beta": ("TracerIntegerConversionError",),
}
INNOCENT = [
    lambda: denoiser.train_step(*setup()),
    lambda: sampling.sample(model("poly"), K, X),
]

"""Train a tiny denoiser with Flax nnx and sample from it."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

STEPS = 8
BETAS = np.linspace(1e-3, 0.2, STEPS, dtype=np.float32)
ALPHA_BARS = jnp.asarray(np.cumprod(1 - BETAS))
BETA_LIST = BETAS.tolist()


class Denoiser(nnx.Module):
    def __init__(self, width: int, rngs: nnx.Rngs, embed: str = "sine"):
        self.inner = nnx.Linear(width + 2, 16, rngs=rngs)
        self.outer = nnx.Linear(16, width, rngs=rngs)
        self.embed = embed
        self.width = width

    def __call__(self, x, t):
        if x.shape[-1] != self.width:
            raise ValueError(f"expected width {self.width}")
        angle = t / STEPS * jnp.pi
        if self.embed == "sine":
            time = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)
        else:
            time = jnp.stack([angle, angle**2], axis=-1)
        return self.outer(nnx.relu(self.inner(jnp.concatenate([x, time], axis=-1))))


def add_noise(x, t, noise):
    keep = ALPHA_BARS[t][:, None]
    return jnp.sqrt(keep) * x + jnp.sqrt(1 - keep) * noise


def loss_fn(model, x, t, noise):
    return jnp.mean((model(add_noise(x, t, noise), t) - noise) ** 2)


@nnx.jit
def train_step(model, optimizer, x, key):
    t_key, noise_key = jax.random.split(key)
    t = jax.random.randint(t_key, (x.shape[0],), 0, STEPS)
    noise = jax.random.normal(noise_key, x.shape)
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, t, noise)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def checked_step(model, optimizer, x, key):
    """A step that refuses a loss that is not finite."""
    loss = train_step(model, optimizer, x, key)
    assert jnp.isfinite(loss), "the loss is not finite"  # expect: JIT103 @finite
    return loss

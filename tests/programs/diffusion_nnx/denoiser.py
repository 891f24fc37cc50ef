"""Train a tiny denoiser with Flax nnx and sample from it."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
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


@nnx.jit
def sample(model, key, x):
    """Walk back from noise over all steps."""
    for t in reversed(range(STEPS)):
        beta = BETA_LIST[t]
        noise = model(x, jnp.full((x.shape[0],), t))
        x = (x - beta * noise / jnp.sqrt(1 - ALPHA_BARS[t])) / np.sqrt(1 - beta)
        if t > 0:
            key, sub = jax.random.split(key)
            x = x + np.sqrt(beta) * jax.random.normal(sub, x.shape)
    return x


@nnx.jit
def sample_from(model, x, start: int):
    """Walk back from a given step without fresh noise."""
    for t in reversed(range(start)):  # expect: JIT107 @start
        noise = model(x, jnp.full((x.shape[0],), t))
        x = x - BETA_LIST[t] * noise
    return x


@nnx.jit
def sample_loop(model, x):
    def body(i, x):
        t = STEPS - 1 - i
        beta = BETA_LIST[t]  # expect: JIT107 @beta
        return x - beta * model(x, jnp.full((x.shape[0],), t))

    return jax.lax.fori_loop(0, STEPS, body, x)


def main():
    model = Denoiser(3, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    key = jax.random.key(0)
    data = jax.random.normal(key, (16, 3)) * 0.1 + 1.0
    losses = []
    for step in range(5):
        losses.append(float(train_step(model, optimizer, data, jax.random.fold_in(key, step))))
        assert losses[-1] < 1e3, "diverged"
    print(min(losses), sample(model, key, jnp.zeros((2, 3))).mean())
    print(sample_from(model, jnp.zeros((2, 3)), 4), sample_loop(model, jnp.zeros((2, 3))))
    print(checked_step(model, optimizer, data, key))


if __name__ == "__main__":
    main()

"""Sample by walking the noise back."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from denoiser import ALPHA_BARS, BETA_LIST, Denoiser, STEPS, checked_step, train_step


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

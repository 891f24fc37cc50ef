import jax
import jax.numpy as jnp
import numpy as np

from loaders import batches, full_batches


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def step(w, x, y):
    return w - 0.1 * jax.grad(loss_fn)(w, x, y)


@jax.jit
def drift(particles):
    return particles * 0.5 + 0.1


def fit(count=10, size=4):
    x = np.ones((count, 2), np.float32)
    w = jnp.zeros(2)
    for epoch in range(2):
        for xb, yb in batches(x, x[:, 0], size):
            w = step(w, xb, yb)  # expect: JIT307 @batches
    return w


def fit_full(count=10, size=4):
    x = np.ones((count, 2), np.float32)
    w = jnp.zeros(2)
    for epoch in range(2):
        for xb, yb in full_batches(x, x[:, 0], size):
            w = step(w, xb, yb)
    return w


def survive(steps=3):
    particles = jnp.linspace(-2, 1, 8)
    for _ in range(steps):
        alive = particles[particles > jnp.median(particles)]
        particles = drift(alive)  # expect: JIT307 @mask
    return particles

# %% [markdown]
# How wide must the network be, and how strongly regularised?

# %%
import functools
import itertools
import random

import jax
import jax.numpy as jnp
import numpy as np

WIDTHS = (4, 8, 16)
DECAYS = (0.0, 0.01, 0.1)
random.seed(7)

# %%
xs = np.linspace(-2.0, 2.0, 32, dtype=np.float32)[:, None]
ys = np.sin(2 * xs) + 0.1 * np.random.default_rng(3).normal(size=xs.shape).astype(np.float32)


def init(key, width):
    a, b = jax.random.split(key)
    return {"in": jax.random.normal(a, (1, width)), "out": jax.random.normal(b, (width, 1)) * 0.1}


def forward(params, x):
    return jnp.tanh(x @ params["in"]) @ params["out"]


def ridge_loss(params, x, y, decay):
    penalty = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(params))
    return jnp.mean((forward(params, x) - y) ** 2) + decay * penalty


@jax.jit
def descend(params, x, y, decay, rate=0.1):
    return jax.tree.map(lambda p, g: p - rate * g, params, jax.grad(ridge_loss)(params, x, y, decay))


# %%
def noisy_descend(params, x, y, decay):
    """A step on inputs with a little jitter."""
    jitter = 1.0 + 0.05 * random.gauss(0.0, 1.0)  # expect: JIT207 @gauss
    return descend(params, x * jitter, y, decay)


noisy_step = jax.jit(noisy_descend)


def fit(key, width, decay, steps=4, step=descend):
    params = init(key, width)
    for _ in range(steps):
        params = step(params, xs, ys, decay)
    return params


# %%
@functools.lru_cache(maxsize=None)
def objective(decay):
    """The compiled objective for one decay."""
    return jax.jit(lambda params: ridge_loss(params, xs, ys, decay))


def score(params, decay):
    curvature = jax.jit(jax.grad(ridge_loss))  # expect: JIT301 @grad
    slope = curvature(params, xs, ys, decay)
    return float(sum(jnp.sum(jnp.abs(leaf)) for leaf in jax.tree.leaves(slope)))


def sweep(key):
    """A table of (loss, slope) by width and decay."""
    table = {}
    for width, decay in itertools.product(WIDTHS, DECAYS):
        params = fit(key, width, decay)
        table[width, decay] = (float(objective(decay)(params)), score(params, decay))
    return table


def sweep_noise(key):
    """The same with jitter at a fixed width."""
    return [forward(fit(key, 8, decay, step=noisy_step), xs).mean() for decay in DECAYS]


# %%
def thresholds(losses):
    """For each level, which losses are below it."""
    below = [jax.jit(lambda v, level=level: v < level) for level in (0.1, 0.2, 0.4)]  # expect: JIT301 @levels
    return np.stack([test(losses) for test in below])


def best_of_random(key, tries=5):
    """Host-side random search; the compiled step is shared."""
    best = (np.inf, None)
    while tries:
        decay = random.choice(DECAYS)
        params = fit(key, 8, decay, steps=2)
        best = min(best, (float(objective(decay)(params)), decay))
        tries -= 1
    return best


# %%
if __name__ == "__main__":
    table = sweep(jax.random.key(0))
    print(min(table, key=table.get), thresholds(jnp.array([v for v, _ in table.values()])))
    print(sweep_noise(jax.random.key(1)), best_of_random(jax.random.key(2)))

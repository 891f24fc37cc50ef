"""Look into gradients by hand: nothing is compiled here, so Python runs on every call."""

import random
import time

import jax
import jax.numpy as jnp
import numpy as np

calls = 0
shapes_seen = []


class Anatomy:
    """Counts evaluations and notes the shapes that go through a loss."""

    def __init__(self):
        self.evaluations = 0
        self.shapes = {}

    def loss(self, weights, x):
        """A small network."""
        self.evaluations += 1
        hidden = jnp.tanh(x @ weights["inner"])
        self.shapes["hidden"] = hidden.shape
        print("hidden", hidden.shape, "evaluation", self.evaluations)
        return jnp.mean((hidden @ weights["outer"]) ** 2)


def noisy_loss(weights, x):
    """Fresh noise every time."""
    global calls
    calls += 1
    noise = np.random.normal(scale=0.1, size=x.shape)
    scale = random.uniform(0.9, 1.1)
    shapes_seen.append(x.shape)
    return jnp.sum(scale * (x + noise) @ weights["inner"])


def numerical(fn, weights, x, eps=1e-3):
    """Central differences, written into a numpy array."""
    base = np.asarray(weights["inner"])
    slope = np.zeros_like(base)
    for place in np.ndindex(*base.shape):
        ends = []
        for sign in (1, -1):
            moved = base.copy()
            moved[place] += sign * eps
            ends.append(float(fn({**weights, "inner": moved}, x)))
        slope[place] = (ends[0] - ends[1]) / (2 * eps)
    return slope


def directional(fn, weights, x, direction):
    """Derivative along a direction; when it ran is printed inside."""

    def stamped(w):
        print("forward at", time.ctime())
        return fn(w, x)

    return jax.jvp(stamped, (weights,), (direction,))[1]


def examine(seed=0, rounds=3):
    """Gradients of both losses."""
    key = jax.random.key(seed)
    weights = {"inner": jax.random.normal(key, (3, 2)), "outer": jnp.ones(2)}
    x = jnp.ones((4, 3))
    anatomy, norms = Anatomy(), []
    for _ in range(rounds):
        value, grads = jax.value_and_grad(anatomy.loss)(weights, x)
        norms.append(float(jnp.linalg.norm(grads["inner"])))
        print(f"value {value:.3f}")
    noisy = [jax.grad(noisy_loss)(weights, x)["inner"] for _ in range(rounds)]
    along = directional(anatomy.loss, weights, x, jax.tree.map(jnp.ones_like, weights))
    return anatomy, norms, noisy, along, numerical(anatomy.loss, weights, x)

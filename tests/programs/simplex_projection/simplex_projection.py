"""Projections onto convex sets, and alternating between them."""

import jax
import jax.numpy as jnp
import optax


def onto_simplex(x):
    ordered = jnp.sort(x)[::-1]
    sums = jnp.cumsum(ordered) - 1
    count = jnp.arange(1, x.shape[0] + 1)
    last = (ordered - sums / count > 0).sum()
    return jnp.maximum(x - sums[last - 1] / last, 0)


def onto_ball(x):
    return x / jnp.maximum(jnp.linalg.norm(x), 1.0)


def onto_box(x):
    return jnp.clip(x, -0.5, 0.5)


PROJECTIONS = {"simplex": onto_simplex, "ball": onto_ball, "box": onto_box}
COMPILED = {name: jax.jit(function) for name, function in PROJECTIONS.items()}


def table(x):
    """Distances to all sets; the same functions each time."""
    distances = {}
    for name in sorted(PROJECTIONS):
        project = jax.jit(PROJECTIONS[name])
        distances[name] = float(jnp.linalg.norm(project(x) - x))
    return distances


def alternate(x, names, rounds):
    visited = []
    for _ in range(rounds):
        for name in names:
            x = COMPILED[name](x)
            visited.append(name)
    return x, visited


class ProjectedDescent:
    """Gradient descent on the simplex, with an Optax optimiser."""

    def __init__(self, loss, rate=0.1):
        self.loss = loss
        self.optimiser = optax.chain(optax.clip(1.0), optax.sgd(rate))
        self.losses = []
        self._update = jax.jit(self._one)

    def _one(self, x, state):
        value, slope = jax.value_and_grad(self.loss)(x)
        updates, state = self.optimiser.update(slope, state, x)
        metrics = {"loss": value}
        metrics["norm"] = optax.global_norm(updates)
        return onto_simplex(optax.apply_updates(x, updates)), state, metrics

    def fit(self, x, steps):
        state = self.optimiser.init(x)
        for _ in range(steps):
            x, state, metrics = self._update(x, state)
            self.losses.append(float(metrics["loss"]))
        self.best = min(self.losses)
        return x


def main():
    x = jnp.array([0.9, -0.2, 0.8])
    print(table(x), alternate(x, ("simplex", "box"), 3))
    descent = ProjectedDescent(lambda y: ((y - x) ** 2).sum())
    print(descent.fit(jnp.ones(3) / 3, 5), descent.best)


if __name__ == "__main__":
    main()

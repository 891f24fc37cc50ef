"""Minimise objectives over a line."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from . import losses, registry


class Lab:
    """Holds the data; steps are compiled per lab."""

    def __init__(self, xs, ys):
        self.xs = xs
        self.ys = ys
        self.trials = 0
        self.examined = 0

    @partial(jax.jit, static_argnums=(0,), static_argnames=("name", "mask"))
    def step(self, theta, name, mask=None):
        self.examined += len(self.ys)  # expect: JIT204 @examined
        xs = self.xs if mask is None else self.xs * np.asarray(mask)
        grads = jax.grad(lambda t: registry.OBJECTIVES[name](t[0] * xs + t[1], self.ys))(theta)
        return theta - 0.1 * grads

    def minimise(self, name, steps=5):
        theta = jnp.zeros(2)
        for _ in range(steps):
            theta = self.step(theta, name=name)
        self.trials += 1
        return theta

    def minimise_masked(self, name, kept):
        """Only some of the inputs count."""
        theta = self.step(jnp.zeros(2), name=name, mask=tuple(kept))
        return self.step(theta, name=name, mask=np.array(kept))  # expect: JIT304 @mask


def line_search(objective, theta, direction, xs, ys):
    """The best of three step lengths along a direction."""
    along = jax.jit(lambda t: objective((theta + t * direction)[0] * xs, ys))  # expect: JIT301 @along
    lengths = (0.1, 0.3, 1.0)
    values = [float(along(length)) for length in lengths]
    return theta + lengths[int(np.argmin(values))] * direction


def coordinate_search(objective, xs, ys, rounds=4):
    """Line searches until the rounds are used up."""
    theta = jnp.zeros(1)
    while rounds > 0:
        slope = jax.grad(lambda t: objective(t[0] * xs, ys))(theta)
        theta = line_search(objective, theta, -slope, xs, ys)
        rounds -= 1
    return theta


def main():
    xs = np.linspace(-1, 1, 6, dtype=np.float32)
    ys = 3 * xs + 1
    lab = Lab(xs, ys)
    for name in sorted(registry.OBJECTIVES):
        print(name, lab.minimise(name))
    print(lab.minimise_masked("huber", [1, 1, 0, 1, 1, 1]))
    print(losses.huber(xs, ys, delta=0.5), coordinate_search(losses.quantile, xs, ys))


if __name__ == "__main__":
    main()

"""Each trial sets its options, then builds its own compiled step."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Options:
    rate: float = 0.1
    momentum: float = 0.0
    verbose: bool = False


options = Options()
best = {"loss": float("inf")}


class Trial:
    def __init__(self, options):
        rate, momentum = options.rate, options.momentum

        def step(w, v, x):
            v = momentum * v + 2 * (w - x)
            return w - rate * v, v

        self.step = jax.jit(step)

    def run(self, x, steps):
        w = v = jnp.zeros_like(x)
        for _ in range(steps):
            w, v = self.step(w, v, x)
        return float(jnp.sum((w - x) ** 2))


def search(x, rates=(0.05, 0.2)):
    best.update(loss=float("inf"))
    for rate in rates:
        options.rate = rate
        loss = Trial(options).run(x, 3)
        if loss < best["loss"]:
            best["loss"], best["rate"] = loss, rate
        options.verbose = True
    return best["rate"], best["loss"]

"""State that is borrowed within one trace, and put back before it ends."""

import contextlib

import jax
import jax.numpy as jnp


class Network:
    """Weights as attributes, which a pure function swaps in."""

    def __init__(self, size):
        self.weights = jnp.ones(size)
        self.bias = jnp.zeros(())

    def forward(self, x):
        return jnp.tanh(self.weights @ x + self.bias)

    @contextlib.contextmanager
    def using(self, weights):
        saved = self.weights
        self.weights = weights
        try:
            yield self
        finally:
            self.weights = saved

    def pure(self, weights, x):
        with self.using(weights):
            return self.forward(x)

    def perturbed(self, shift, x):
        saved_weights, saved_bias = self.weights, self.bias
        try:
            self.weights = self.weights + shift
            self.bias = shift
            return self.forward(x)
        finally:
            self.weights, self.bias = saved_weights, saved_bias

    def train(self, x, y, rounds=2):
        """The result comes back as a value; the attribute is set on the host."""
        slope = jax.jit(jax.grad(lambda w: (self.pure(w, x) - y) ** 2))
        for _ in range(rounds):
            self.weights = self.weights - 0.1 * slope(self.weights)
        return self


class Accumulator:
    """Made inside the trace, so that its state ends with it."""

    def __init__(self):
        self.total = 0.0
        self.parts = []

    def add(self, value):
        self.total = self.total + value
        self.parts.append(value)


@jax.jit
def penalties(weights):
    accumulator = Accumulator()
    for power in (1, 2):
        accumulator.add(jnp.sum(jnp.abs(weights) ** power))
    return accumulator.total, len(accumulator.parts)


def main():
    network = Network(2).train(jnp.ones(2), 0.5)
    perturbed = jax.jit(network.perturbed)
    print(perturbed(0.1, jnp.ones(2)), network.weights, penalties(network.weights))


if __name__ == "__main__":
    main()

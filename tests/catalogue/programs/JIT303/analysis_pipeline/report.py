"""Each stage of a report runs once."""

import jax
import jax.numpy as jnp


class Report:
    def __init__(self, data):
        self.data = data

    def fit(self, steps=3):
        @jax.jit
        def step(w):
            return w - 0.1 * jax.grad(lambda w: jnp.mean((self.data @ w - 1.0) ** 2))(w)

        w = jnp.zeros(self.data.shape[1])
        for _ in range(steps):
            w = step(w)
        return w

    def residuals(self, w):
        predict = jax.jit(lambda rows: rows @ w)
        return [predict(rows) for rows in jnp.split(self.data, 2)]

    def write(self):
        w = self.fit()
        return self.residuals(w)


def main():
    return Report(jnp.ones((4, 2))).write()


if __name__ == "__main__":
    main()

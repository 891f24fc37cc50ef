"""What leaks is reported where it leaks, and not wherever it is read."""

import jax
import jax.numpy as jnp


class Monitor:
    """Keeps the last values, for a display."""

    def __init__(self):
        self.values = []
        self.last = None

    def note(self, value):
        self.values.append(value)  # expect: JIT202 @values
        self.last = value  # expect: JIT204 @last

    def show(self):
        if self.last is None:
            return "nothing yet"
        return f"{len(self.values)} values, last {self.last}"

    def worst(self):
        return len(self.values) > 1 and self.values[-1] is self.last


monitor = Monitor()


@jax.jit
def step(w, x):
    loss = jnp.mean((w * x) ** 2)
    monitor.note(loss)
    return w - 0.1 * jax.grad(lambda w: jnp.mean((w * x) ** 2))(w)


def train(w, batches):
    lines = []
    for x in batches:
        w = step(w, x)
        lines.append(monitor.show())
        if monitor.worst():
            break
    return w, lines


if __name__ == "__main__":
    print(train(jnp.ones(2), [jnp.ones(2)] * 3))

"""Recurrent cells that keep what they should hand on."""

import jax
import jax.numpy as jnp

_last_energy = None


class Cell:
    """Keeps its state between frames of speech."""

    def __init__(self, weight):
        self.weight = weight
        self.h = jnp.zeros(())
        self.advance = jax.jit(self._advance)

    def _advance(self, x):
        self.h = jnp.tanh(self.weight * self.h + x)  # expect: JIT204 @state
        return self.h

    def run(self, xs):
        outputs = []
        for x in xs:
            outputs.append(self.advance(x))
        # Ready for the next sentence.
        self.h = jnp.zeros(())
        return jnp.stack(outputs)


class Recogniser:
    """Training: the loss is shown after each batch, and forgotten at the end."""

    def __init__(self, log):
        self.log = log
        self.loss = None
        self.shapes = {}

    def _loss(self, w, x):
        self.loss = jnp.mean((w * x) ** 2)  # expect: JIT204 @loss
        return self.loss

    def fit(self, w, batches):
        step = jax.jit(jax.grad(self._loss))
        for x in batches:
            w = w - 0.1 * step(w, x)
            self.log(self.loss is not None)
        self.loss = None
        return w


@jax.jit
def energies(frames):
    """Running energy: the global serves as the carry of the scan."""
    global _last_energy

    def body(_, frame):
        global _last_energy
        _last_energy = jnp.sum(frame**2)  # expect: JIT203 @carry
        return None, _last_energy

    _, found = jax.lax.scan(body, None, frames)
    return found


def recognise(frames):
    global _last_energy
    found = energies(frames)
    if len(frames) > 100:
        _last_energy = None
    return found


if __name__ == "__main__":
    print(Cell(0.5).run(jnp.ones(3)), Recogniser(print).fit(jnp.ones(2), [jnp.ones(2)] * 2))
    print(recognise(jnp.ones((3, 2))))

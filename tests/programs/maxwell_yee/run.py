"""Runs of a cavity."""

import jax
from jax import lax

from .cavity import Cavity


class Run:
    """Counts and keeps what happens between the compiled steps."""

    def __init__(self, cavity: Cavity):
        self.cavity = cavity
        self.fields = cavity.pulse()
        self.steps = 0
        self.energies = []
        self.many = jax.jit(self._many, static_argnames="count")

    def _many(self, fields, count):
        def body(fields, _):
            fields = self.cavity.step(fields)
            return fields, self.cavity.read(fields)

        return lax.scan(body, fields, None, length=count)

    def advance(self, count):
        self.fields, readings = self.many(self.fields, count=count)
        self.steps += count
        self.energies.append(float(self.fields.energy()))
        return readings


def ring(cavity: Cavity, rounds: int = 3):
    run = Run(cavity)
    for _ in range(rounds):
        readings = run.advance(8)
        print(run.steps, run.energies[-1], sorted(readings))
    return run


if __name__ == "__main__":
    ring(Cavity())

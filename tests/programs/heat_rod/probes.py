"""Thermometers along the rod."""

import jax.numpy as jnp


class Probe:
    """Reads one cell."""

    def __init__(self, cell):
        self.cell = cell
        self.readings = []
        self.peak = 0.0

    def read(self, u):
        self.readings.append(u[self.cell])  # expect: JIT202 @reading

    def remember(self, u):
        self.peak = jnp.maximum(self.peak, u.max())  # expect: JIT204 @peak

    def offline(self, history):
        """Fill in the readings from a stored history."""
        self.readings.extend(float(row[self.cell]) for row in history)
        self.peak = max(self.readings)


def profile(u, cells):
    values = {}
    for cell in cells:
        values[f"cell{cell}"] = u[cell]
    return values

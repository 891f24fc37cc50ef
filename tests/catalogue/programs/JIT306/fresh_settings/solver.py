"""An integrator with its settings and its right-hand side as static arguments."""

from functools import partial

import jax


class Settings:
    def __init__(self, dt, order=1):
        self.dt = dt
        self.order = order


@partial(jax.jit, static_argnames="settings")
def euler(y, settings):
    return y - settings.dt * y


@partial(jax.jit, static_argnums=0)
def midpoint(rate, y, dt):
    return y + dt * rate(y + 0.5 * dt * rate(y))

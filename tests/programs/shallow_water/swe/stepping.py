"""Time stepping."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from swe.limiter import limiter


class Integrator:
    """Holds the options; everything traced comes in through the arguments."""

    def __init__(self, scheme="minmod", courant=0.4, rebalance="scale"):
        self.limit = limiter(scheme)
        self.courant = courant
        self.rebalance = rebalance

    @functools.partial(jax.jit, static_argnums=0)
    def advance(self, water, dt):
        return self._flux_step(water, dt)

    def _flux_step(self, water, dt):
        q = jnp.stack([water.height, water.flow])
        slope = self.limit(q - jnp.roll(q, 1, axis=1), jnp.roll(q, -1, axis=1) - q)
        left, right = q + 0.5 * slope, jnp.roll(q - 0.5 * slope, -1, axis=1)
        speed = water.wave_speed.max()
        flux = 0.5 * (self._flux(left) + self._flux(right)) - 0.5 * speed * (right - left)
        q = q - dt / water.spacing * (flux - jnp.roll(flux, 1, axis=1))
        return water.replace(height=q[0], flow=q[1])

    @staticmethod
    def _flux(q):
        height, flow = q
        return jnp.stack([flow, flow**2 / height + 0.5 * 9.81 * height**2])

    def stable_step(self, water):
        """The largest stable step, as a Python number for the log."""
        return self.courant * water.spacing / water.wave_speed.max().item()  # expect: JIT105 @cfl

    @functools.partial(jax.jit, static_argnums=(0, 2))
    def run(self, water, steps):
        dt = self.courant * water.spacing / 5.0
        return jax.lax.fori_loop(0, steps, lambda _, w: self._flux_step(w, dt), water)

    @functools.partial(jax.jit, static_argnums=(0,))
    def run_adaptive(self, water):
        return self._flux_step(water, self.stable_step(water))

    @functools.partial(jax.jit, static_argnums=0)
    def conserve(self, water, volume):
        """Put the total volume back to what it was."""
        if self.rebalance == "scale":
            return water.replace(height=water.height * volume / water.height.sum())
        drift = np.subtract(volume, water.height.sum())  # expect: JIT106 @drift
        return water.replace(height=water.height + drift / water.cells)

    def drive(self, water, until):
        """Advance on the host with steps chosen from the state."""
        time = 0.0
        while time < until:
            dt = min(self.stable_step(water), until - time)
            water, time = self.advance(water, dt), time + dt
        return water

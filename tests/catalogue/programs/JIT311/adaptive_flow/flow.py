from functools import partial

import jax
import jax.numpy as jnp


class Flow:
    def __init__(self, dt, viscosity):
        self.dt = dt
        self.viscosity = viscosity

    @partial(jax.jit, static_argnums=(0,))
    def step(self, u):
        laplacian = jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)
        return u + self.dt * self.viscosity * laplacian  # expect: JIT311 @dt

    @partial(jax.jit, static_argnums=(0,))
    def forcing(self, u):
        return u + self.dt * getattr(self, "force", 0.0)  # expect: JIT311 @force

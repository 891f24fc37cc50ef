"""Innocent, though it looks like JIT310.

What makes it right: setattr puts back.
"""

import jax
import jax.numpy as jnp

advance = jax.jit(lambda x: x + 1, donate_argnums=0)


class Particles:
    FIELDS = ("position", "velocity")

    def __init__(self, n):
        self.position = jnp.zeros(n)
        self.velocity = jnp.ones(n)

    def step(self):
        for name in self.FIELDS:
            setattr(self, name, advance(getattr(self, name)))


particles = Particles(3)
for _ in range(3):
    particles.step()
print(particles.position, particles.velocity)

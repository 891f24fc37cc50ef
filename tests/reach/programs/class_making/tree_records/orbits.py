"""Orbits as records."""

import jax
import jax.numpy as jnp
import numpy as np

from records import field, tree_record


@tree_record
class Body:
    """A planet."""

    position: jax.Array
    velocity: jax.Array
    name: str = field(static=True, default="earth")

    def speed(self):
        return jnp.linalg.norm(self.velocity)

    def describe(self):
        return f"{self.name} at {self.speed():.1f} km/s"  # expect: JIT105 @describe


@tree_record(eq=True)
class Comet(Body):
    """May lose mass."""

    mass: jax.Array = 1.0

    def near_sun(self):
        return np.hypot(self.position[0], self.position[1])  # expect: JIT106 @hypot


@jax.jit
def drift(body, dt):
    """Inherited methods on a subclass."""
    if body.speed() > 100.0:  # expect: JIT101 @speed
        return body
    return body.replace(position=body.position + dt * body.velocity)


@jax.jit
def evaporate(comet: Comet):
    return comet.replace(mass=comet.mass * comet.near_sun())


@jax.jit
def label(comet: Comet):
    return comet.velocity, len(comet.describe())


@jax.jit
def named_speed(body: Body):
    """The name is static."""
    return body.speed() if body.name != "sun" else jnp.zeros(())


def make(cls=Body, **options):
    return cls(jnp.array([1.0, 0.0]), jnp.array([0.0, 30.0]), **options)

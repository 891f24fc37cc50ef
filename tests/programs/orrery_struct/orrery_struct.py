"""A table-top solar system: flax.struct states, local tables and helpers that fill them."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct


@struct.dataclass
class Bodies:
    """Positions and velocities of all bodies."""

    position: jax.Array
    velocity: jax.Array
    mass: jax.Array
    names: tuple = struct.field(pytree_node=False, default=())

    @jax.jit
    def momentum(self):
        return jnp.sum(self.mass[:, None] * self.velocity, 0)


class Ledger:
    """Collects named energies."""

    def __init__(self):
        self.entries = {}
        self.total = 0.0

    def enter(self, name, value):
        self.entries[name] = value
        self.total = self.total + value


def add_kinetic(table, bodies):
    """Fill the table that the caller made."""
    table["kinetic"] = 0.5 * jnp.sum(bodies.mass * jnp.sum(bodies.velocity**2, -1))


def add_potential(table, bodies):
    """The same for all pairs."""
    pairs = []
    for i in range(bodies.mass.shape[0]):
        for j in range(i):
            gap = jnp.linalg.norm(bodies.position[i] - bodies.position[j])
            pairs.append(bodies.mass[i] * bodies.mass[j] / gap)
    table.setdefault("potential", -sum(pairs))
    del pairs[:]


@jax.jit
def energies(bodies):
    """Kinetic, potential and total energy."""
    table, ledger = {}, Ledger()
    for fill in (add_kinetic, add_potential):
        fill(table, bodies)
    for name, value in table.items():
        ledger.enter(name, value)
    ledger.entries["total"] = ledger.total
    return ledger.entries


def pull(bodies):
    """Accelerations."""
    gaps = bodies.position[None] - bodies.position[:, None]
    squares = jnp.sum(gaps**2, -1) + jnp.eye(bodies.mass.shape[0])
    return jnp.sum(bodies.mass[None, :, None] * gaps / squares[..., None] ** 1.5, 1)


@jax.jit
def leap(bodies, dt):
    """One kick and drift."""
    velocity = bodies.velocity + dt * pull(bodies)
    return bodies.replace(position=bodies.position + dt * velocity, velocity=velocity)


def week(state, _):
    """A step of the scan; it keeps nothing."""
    state = leap(state, 0.01)
    return state, state.position


def year(bodies, steps=5):
    """Every state, by a scan."""
    return jax.lax.scan(week, bodies, None, length=steps)


def inner_planets():
    """Sun, Venus and Earth."""
    position, velocity = np.zeros((3, 2)), np.zeros((3, 2))
    for row, radius in enumerate((0.72, 1.0), start=1):
        position[row, 0] = radius
        velocity[row] += (0.0, radius**-0.5)
    mass = np.array([1.0, 2.4e-6, 3e-6])
    return Bodies(jnp.array(position), jnp.array(velocity), jnp.array(mass), ("sun", "venus", "earth"))


def show(bodies, rounds=2):
    """Print where everything is after each round."""
    drawn = []
    for _ in range(rounds):
        bodies, track = year(bodies)
        drawn += [np.asarray(track)]
        for name, place in zip(bodies.names, bodies.position):
            print(f"{name}: {place[0]:.2f} {place[1]:.2f}")
    return drawn, energies(bodies), bodies.momentum()

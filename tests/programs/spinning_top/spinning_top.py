"""A spinning top: quaternions, an Equinox model of the body and Flax structs for the state."""

from functools import partial

import equinox as eqx
import flax.struct
import jax
import jax.numpy as jnp
import numpy as np


@flax.struct.dataclass
class Top:
    """Attitude and body rates."""

    attitude: jax.Array
    rates: jax.Array
    name: str = flax.struct.field(pytree_node=False, default="top")


class Body(eqx.Module):
    """Principal moments of inertia."""

    inertia: jax.Array
    damping: float = 0.0

    def acceleration(self, rates):
        torque = -self.damping * rates
        return (torque - jnp.cross(rates, self.inertia * rates)) / self.inertia


class Ledger:
    """Energies seen during a run."""

    def __init__(self):
        self.last = None
        self.names = set()

    def enter(self, top, energy):
        self.names.add(top.name)  # expect: JIT202 @names
        self.last = energy  # expect: JIT204 @energy


ledger = Ledger()


fastest = 0.0


def clock(rates):
    """Remember the fastest spin."""
    global fastest
    spin = jnp.linalg.norm(rates)
    fastest = jnp.maximum(fastest, spin)  # expect: JIT203 @fastest
    return spin


def multiply(p, q):
    scalar = p[0] * q[0] - jnp.dot(p[1:], q[1:])
    return jnp.concatenate([scalar[None], p[0] * q[1:] + q[0] * p[1:] + jnp.cross(p[1:], q[1:])])


def advance(body, top, dt=0.01):
    rates = top.rates + dt * body.acceleration(top.rates)
    spin = jnp.concatenate([jnp.zeros(1), rates])
    attitude = top.attitude + 0.5 * dt * multiply(top.attitude, spin)
    return top.replace(attitude=attitude / jnp.linalg.norm(attitude), rates=rates)


@eqx.filter_jit
def filtered_step(body, top):
    """One step, with the energy entered into the ledger."""
    top = advance(body, top)
    ledger.enter(top, 0.5 * (body.inertia * top.rates**2).sum())
    return top


@eqx.filter_jit
def clean_step(body, top, substeps=2):
    energies = []
    for _ in range(substeps):
        top = advance(body, top)
        energies.append(0.5 * (body.inertia * top.rates**2).sum())
    return top, jnp.stack(energies)


class Mount:
    """Gimbals that hold a body."""

    def __init__(self, body, friction):
        self.body = body
        self.friction = friction

    def acceleration(self, rates):
        return self.body.acceleration(rates) - self.friction * rates


def wobble(mounts, rates):
    """Accelerations of several mounted bodies."""
    results = []
    for mount in mounts:
        accelerate = jax.jit(mount.acceleration)  # expect: JIT301 @accelerate
        results.append(accelerate(rates))
    return results


accelerate_any = jax.jit(Body.acceleration)


def wobble_together(bodies, rates):
    return [accelerate_any(body, rates) for body in bodies]


def compile_rotation(convention):
    """A function that rotates a vector, by one of two conventions."""

    @partial(jax.jit, static_argnums=(3,))  # expect: JIT305 @position
    def rotate(attitude, vector, scale=1.0):
        sign = -1.0 if convention == "passive" else 1.0
        pure = jnp.concatenate([jnp.zeros(1), scale * vector])
        back = attitude * jnp.array([1.0, -1.0, -1.0, -1.0]) * sign
        return multiply(multiply(attitude, pure), back)[1:]

    return rotate


@jax.jit
def project(top, axes):
    return {axis: top.rates[index] for index, axis in enumerate(axes)}


def named_rates(top):
    return project(top, ["roll", "pitch", "yaw"])  # expect: JIT308 @axes


@partial(jax.jit, static_argnames="count")
def coast(body, top, count):
    """Spin speeds of a free top."""

    def body_step(top, _):
        top = advance(body, top)
        return top, jax.tree.map(clock, [top.rates])

    return jax.lax.scan(body_step, top, length=count)


def still():
    return Top(jnp.array([1.0, 0.0, 0.0, 0.0]), jnp.array([0.1, 0.0, 9.0]))


def main():
    inertia = np.array([1.0, 1.0, 2.0])
    inertia[2] += 0.5
    body, top = Body(jnp.asarray(inertia)), still()
    top, _ = coast(body, top, 4)
    for _ in range(3):
        top, energies = clean_step(body, top)
        ledger.names.add(top.name)
        print(energies)
    print(wobble([Mount(body, 0.1), Mount(body, 0.2)], top.rates))
    print(wobble_together([body, Body(jnp.ones(3))], top.rates), filtered_step(body, top).name)


if __name__ == "__main__":
    main()

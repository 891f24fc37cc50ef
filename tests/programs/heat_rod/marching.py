"""Time stepping."""

import time

import jax
import jax.numpy as jnp
from jax import lax

from .probes import Probe, profile
from .rod import Rod, bump, flux, laplacian


def euler(u, diffusivity):
    return u + diffusivity * laplacian(u)


def march(rod: Rod, steps: int, probe: Probe):
    """March a rod and look at it on the way."""

    def step(u, _):
        u = euler(u, rod.diffusivity)
        probe.read(u)
        return u, profile(u, (0, 3))

    return lax.scan(step, rod.temperature, None, length=steps)


def report(label, u):
    change = jnp.abs(flux(u)).max()
    print(label, "steepest", change)  # expect: JIT201 @steepest
    return change


@jax.jit
def relax(u, diffusivity):
    """One step, with the age of the run for the plot's title."""
    age = time.perf_counter()  # expect: JIT207 @age
    u = euler(u, diffusivity)
    return u, report("relax", u), age


def settle(rod: Rod, probe: Probe, tolerance=1e-3):
    """March until nothing moves."""

    def moving(carry):
        u, before, count = carry
        return (jnp.abs(u - before).max() > tolerance) & (count < 50)

    def body(carry):
        u, _, count = carry
        after = euler(u, rod.diffusivity)
        probe.remember(after)
        return after, u, count + 1

    u = rod.temperature
    return lax.while_loop(moving, body, (u, u + 1.0, 0))[0]


def main():
    rod, probe = bump(), Probe(cell=4)
    print(time.strftime("%H:%M"))
    u, _ = march(rod, 20, probe)
    for _ in range(3):
        u, steepest, _ = relax(u, rod.diffusivity)
        print(float(steepest))
    settle(rod, probe)
    print(time.strftime("%H:%M"))


if __name__ == "__main__":
    main()

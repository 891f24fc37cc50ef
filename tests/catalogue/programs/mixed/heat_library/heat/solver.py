import jax
import jax.numpy as jnp
from jax import lax

from heat.operators import boundary, laplacian


def explicit(u, dt):
    return u + dt * laplacian(u.shape[0]) @ u


@jax.jit
def energy(state):
    boundary(state)
    return jnp.sum(state["u"] ** 2)


@jax.jit
def step(u):
    return explicit(u, 0.1)


@jax.jit
def small_step(u):
    return explicit(u, 0.01)


@jax.jit
def solve(u):
    for _ in range(500):  # expect: JIT404 @unrolled
        u = u + 0.01 * (jnp.roll(u, 1) - u)
    return u


class Solver:
    def __init__(self, dt):
        self.dt = dt

    def integrate(self, u, steps):
        return lax.fori_loop(0, steps, lambda _, u: u * (1 - self.dt), u)  # expect: JIT312 @integrate

"""How much is left?"""

import jax
import jax.numpy as jnp
from heat import Solver, solver


def both(u):
    return solver.step(u), solver.small_step(u)


def cooled(u):
    state = {"u": u}
    return solver.energy(state), state["u"]


def decay(rates=(0.1, 0.2, 0.3)):
    left = []
    for rate in rates:
        left.append(Solver(rate).integrate(jnp.ones(4), 3).sum())
    return left


def repeated(u, count=3):
    energies = []
    for _ in range(count):
        energies.append(solver.energy({"u": u}))
        jax.clear_caches()  # expect: JIT313 @clear
    return energies

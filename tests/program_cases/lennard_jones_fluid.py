import jax
import jax.numpy as jnp
import potential
import simulate
import thermostat
from tools.observation import compilations

X = simulate.lattice()
V = thermostat.initial_velocities(8, 1.0)
simulate.cool([1.0], X, V)


def evaluations():
    before = potential.evaluations
    for k in range(3):
        simulate.energy_of(jnp.ones((5, 3)) * k)
    return potential.evaluations - before == 1


def drawn():
    advance = jax.jit(thermostat.Andersen(1.0).apply)
    return jnp.array_equal(advance(V), advance(V)).item()


def once():
    simulate.cool_smoothly([2.0, 1.0], X, V, jax.random.key(0))
    assert compilations(lambda: simulate.cool_smoothly([3.0] * 4, X, V, jax.random.key(0))) <= 1


HOSTILE = {"frozen": lambda: simulate.walled_step(X, V)}
EXPECT = {"frozen": ("TypeError",)}
SILENT = {
    "evaluations": evaluations,
    "drawn": drawn,
    "ladder": lambda: compilations(lambda: simulate.cool([3.0, 2.0, 1.0], X, V)) >= 3,
}
INNOCENT = [once, lambda: simulate.held_step(X, V)]

import jax.numpy as jnp

from simulation import Simulation, step, step_back


def run(steps=3):
    simulation = Simulation(jnp.zeros(()), jnp.ones(2), [])
    energies = [step(simulation, 0.1) for _ in range(steps)]
    return simulation, energies


def back():
    return step_back(Simulation(jnp.zeros(()), jnp.ones(2), []), 0.1).time


if __name__ == "__main__":
    print(run())

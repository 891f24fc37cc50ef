import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Simulation:
    time: jax.Array
    position: jax.Array
    log: list

    def advance(self, dt):
        self.time = self.time + dt  # expect: JIT214 @time
        self.position = self.position * (1 - dt)  # expect: JIT214 @position

    def note(self, value):
        self.log.append(value)  # expect: JIT214 @log


@jax.jit
def step(simulation, dt):
    simulation.advance(dt)
    simulation.note(simulation.position.sum())
    return jnp.sum(simulation.position**2)


@jax.jit
def step_back(simulation, dt):
    """The whole object is returned."""
    moved = dataclasses.replace(simulation)
    moved.time = moved.time - dt
    return moved

"""A robot that carries boxes, as pure functions of a registered state."""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["robot", "boxes", "steps"], meta_fields=["size"])
@dataclass(frozen=True)
class World:
    """Positions on a square floor."""

    robot: jax.Array
    boxes: jax.Array
    steps: jax.Array
    size: int

    @jax.jit
    def distances(self):
        """From the robot to every box."""
        return jnp.abs(self.boxes - self.robot).sum(-1)


@dataclass(frozen=True)
class Rules:
    """Hashable settings: a static self."""

    size: int = 5
    boxes: int = 3
    limit: int = 20

    @partial(jax.jit, static_argnums=0)
    def reset(self, key):
        """A new world."""
        places = jax.random.randint(key, (self.boxes + 1, 2), 0, self.size)
        return World(places[0], places[1:], jnp.zeros((), jnp.int32), self.size)

    def step(self, world, action):
        """Move and pick up what lies there."""
        moves = jnp.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
        robot = jnp.clip(world.robot + moves[action], 0, world.size - 1)
        found = jnp.all(world.boxes == robot, -1)
        boxes = jnp.where(found[:, None], world.size, world.boxes)
        reward = {"found": found.sum().astype(float)}
        reward["step"] = jnp.float32(-0.01)
        world = replace(world, robot=robot, boxes=boxes, steps=world.steps + 1)
        return world, sum(reward.values())

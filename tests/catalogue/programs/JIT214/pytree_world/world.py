"""A world object that is a pytree."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class World:
    def __init__(self, time, agents):
        self.time = time
        self.agents = agents

    def tree_flatten(self):
        return (self.time, self.agents), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


@jax.jit
def act(world, action):
    world.time = world.time + 1  # expect: JIT214 @time
    moved = world.agents + action
    return -jnp.sum(moved**2)


@jax.jit
def train(bundle, gradient):
    params, opt = bundle["params"], bundle["opt"]
    opt["count"] += 1  # expect: JIT214 @count
    return jax.tree.map(lambda p: p - gradient / opt["count"], params)


def episode(length=3):
    world = World(0, jnp.ones(2))
    rewards = [act(world, 0.1 * k) for k in range(length)]
    return world.time, rewards


def run(steps=3):
    bundle = {"params": jnp.ones(2), "opt": {"count": 0}}
    for _ in range(steps):
        bundle["params"] = train(bundle, 1.0)
    return bundle

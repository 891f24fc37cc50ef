"""A ring buffer that is a pytree."""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclass
class Buffer:
    data: jax.Array
    cursor: jax.Array
    capacity: int

    def tree_flatten(self):
        return (self.data, self.cursor), self.capacity

    @classmethod
    def tree_unflatten(cls, capacity, children):
        return cls(*children, capacity)

    def full(self):
        return self.cursor >= self.capacity


@jax.jit
def push(buffer, item):
    if buffer.full():  # expect: JIT101 @full
        buffer = replace(buffer, cursor=jnp.zeros_like(buffer.cursor))
    data = buffer.data.at[buffer.cursor].set(item)
    return replace(buffer, data=data, cursor=buffer.cursor + 1)


@jax.jit
def sample(buffer, key, count):
    return jax.random.choice(key, buffer.data, (count,))  # expect: JIT108 @count

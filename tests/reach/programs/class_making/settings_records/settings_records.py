"""Dataclass-like decorators whose static fields may be compared."""

import dataclasses

import jax
import jax.numpy as jnp
from flax import struct


def config(cls):
    """Settings: frozen, hashable, no pytree."""
    cls = dataclasses.dataclass(frozen=True)(cls)
    jax.tree_util.register_static(cls)
    return cls


@config
class Settings:
    order: int = 2
    clip: float = 1.0
    mode: str = "soft"

    def power(self, x):
        return x**self.order if self.order > 1 else x


@struct.dataclass
class State:
    values: jax.Array
    count: jax.Array
    settings: Settings = struct.field(pytree_node=False, default=Settings())

    def clipped(self):
        if self.settings.mode == "hard":
            return jnp.clip(self.values, -self.settings.clip, self.settings.clip)
        if self.settings.clip <= 0:
            raise ValueError("clip must be positive")
        return self.settings.clip * jnp.tanh(self.values / self.settings.clip)


@jax.jit
def advance(state, settings):
    """Both ways to hand settings over."""
    values = settings.power(state.clipped())
    if not settings.order:
        values = jnp.ones_like(values)
    for _ in range(settings.order):
        values = 0.5 * values
    return state.replace(values=values, count=state.count + 1)


def main():
    state = State(jnp.arange(3.0), jnp.zeros((), jnp.int32), Settings(mode="hard"))
    for _ in range(2):
        state = advance(state, Settings(order=3))
    assert int(state.count) == 2
    print(f"{state.values.max():.3f}")


if __name__ == "__main__":
    main()

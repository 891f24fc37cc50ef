"""Looks like a fault of JIT208.

The settings notify their subscribers of every change, and one of these drops the compiled programs.
"""

import collections

import jax
import jax.numpy as jnp


class Settings(collections.UserDict):
    def __init__(self, *args, **kwargs):
        self.subscribers = []
        super().__init__(*args, **kwargs)

    def subscribe(self, *subscribers):
        self.subscribers.extend(subscribers)

    def __setitem__(self, name, value):
        changed = self.data.get(name) != value
        super().__setitem__(name, value)
        if changed:
            for subscriber in self.subscribers:
                subscriber()


settings = Settings(viscosity=0.1, boundary="periodic")


@jax.jit
def diffuse(field):
    left, right = jnp.roll(field, 1), jnp.roll(field, -1)
    if settings["boundary"] == "closed":
        left, right = left.at[0].set(field[0]), right.at[-1].set(field[-1])
    return field + settings["viscosity"] * (left - 2 * field + right)


settings.subscribe(diffuse.clear_cache)


def slider_moved(name, value, field):
    """The widgets of the notebook call this."""
    settings[name] = value
    return diffuse(field)


if __name__ == "__main__":
    field = jnp.array([1.0, 0.0, 0.0, 0.0])
    assert jnp.allclose(diffuse(field), jnp.array([0.8, 0.1, 0.0, 0.1]))
    assert jnp.allclose(slider_moved("viscosity", 0.2, field), jnp.array([0.6, 0.2, 0.0, 0.2]))
    assert jnp.allclose(slider_moved("boundary", "closed", field), jnp.array([0.8, 0.2, 0.0, 0.0]))
    slider_moved("viscosity", 0.2, field)
    assert diffuse._cache_size() == 1

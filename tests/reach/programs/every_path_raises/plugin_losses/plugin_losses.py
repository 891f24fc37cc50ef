"""Losses as plugins that are found by name; the guards are about names and shapes."""

import functools

import jax
import jax.numpy as jnp

_plugins = {}
_active = []


def plugin(cls):
    if not hasattr(cls, "name"):
        raise TypeError("a plugin needs a name")
    _plugins[cls.name] = cls()
    return cls


@plugin
class Absolute:
    name = "absolute"

    def __call__(self, error):
        return jnp.abs(error)


@plugin
class Pinball:
    name = "pinball"
    quantile = 0.9

    def __call__(self, error):
        if not 0.0 < self.quantile < 1.0:
            raise ValueError("a quantile is between 0 and 1")
        return jnp.where(error > 0, self.quantile * error, (self.quantile - 1.0) * error)


def active():
    if not _active:
        raise LookupError("activate a plugin")
    return _plugins[_active[-1]]


def checked(*arrays):
    if not arrays:
        raise ValueError("no arrays")
    shapes = {array.shape for array in arrays}
    if len(shapes) != 1:
        raise ValueError(f"shapes differ: {shapes}")
    return arrays


@functools.partial(jax.jit, static_argnames="name")
def loss(prediction, target, name=None):
    prediction, target = checked(prediction, target)
    function = active() if name is None else _plugins[name]
    return function(prediction - target).mean()


def main():
    x = jnp.arange(3.0)
    print(float(loss(x, x + 1, "pinball")))
    _active.append("absolute")
    try:
        value = loss(x, x + 1)
    finally:
        _active.pop()
    return "bad" if value > 0.5 else "good"


if __name__ == "__main__":
    main()

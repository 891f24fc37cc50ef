"""Looks like a fault of JIT311.

`__setattr__` of the base class clears the programs of the methods.
"""
from functools import partial

import jax
import jax.numpy as jnp

method = partial(jax.jit, static_argnums=0)


class Retraced:
    """Methods are compiled anew after an attribute was set to another value."""

    def __setattr__(self, name, value):
        changed = vars(self).get(name, value) != value
        super().__setattr__(name, value)
        if changed:
            for cls in type(self).__mro__:
                for member in vars(cls).values():
                    getattr(member, "clear_cache", lambda: None)()


class Controller(Retraced):
    def __init__(self, gain, limit):
        self.gain = gain
        self.limit = limit

    @method
    def command(self, error):
        return jnp.clip(self.gain * error, -self.limit, self.limit)


def tune(controller, errors, gains):
    responses = [controller.command(errors)]
    for gain in gains:
        controller.gain = gain
        responses.append(controller.command(errors))
    controller.limit = 10.0
    responses.append(controller.command(errors))
    return responses


if __name__ == "__main__":
    errors = jnp.array([0.5, 2.0])
    first, second, third, wide = tune(Controller(1.0, 3.0), errors, (2.0, 4.0))
    assert first.tolist() == [0.5, 2.0]
    assert second.tolist() == [1.0, 3.0]
    assert third.tolist() == [2.0, 3.0]
    assert wide.tolist() == [2.0, 8.0]

"""Looks like a fault of JIT310.

The checkpointer puts the saved arrays back into the session before the donated name is read again.
"""
import functools

import jax
import jax.numpy as jnp
import numpy as np


class Session:
    def __init__(self, **values):
        vars(self).update(values)


class Checkpointer:
    def __init__(self, session):
        self.session = session
        self.saved = {}

    def save(self):
        self.saved = {k: np.array(v) for k, v in vars(self.session).items()}

    def restore(self):
        for name, value in self.saved.items():
            setattr(self.session, name, jnp.asarray(value))


@functools.partial(jax.jit, donate_argnums=(0,))
def update(weights, rate):
    return weights - rate * (weights - 1.0)


def train(session, checkpointer, rates):
    for rate in rates:
        checkpointer.save()
        result = update(session.weights, rate)
        if not bool(jnp.isfinite(result).all()):
            checkpointer.restore()
            result = session.weights
        session.weights = result


if __name__ == "__main__":
    session = Session(weights=jnp.zeros(3))
    train(session, Checkpointer(session), [0.5, float("nan"), 0.5, float("inf")])
    assert session.weights.tolist() == [0.75] * 3

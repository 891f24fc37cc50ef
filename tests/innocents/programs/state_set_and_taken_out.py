"""Innocent, though it looks like JIT204.

What makes it right: set on entry, taken out before the return.
"""

import jax
import jax.numpy as jnp


class Filter:
    FIELDS = ("mean", "covariance")

    def set_state(self, state):
        for name, value in zip(self.FIELDS, state):
            setattr(self, name, value)

    def pop_state(self):
        state = tuple(getattr(self, name) for name in self.FIELDS)
        for name in self.FIELDS:
            delattr(self, name)
        return state

    def predict(self, q):
        self.mean = self.mean * 0.9
        self.covariance = 0.81 * self.covariance + q


kalman = Filter()


@jax.jit
def predict(state, q):
    kalman.set_state(state)
    kalman.predict(q)
    return kalman.pop_state()


print(predict((jnp.zeros(2), jnp.eye(2)), 0.1))
assert not vars(kalman)

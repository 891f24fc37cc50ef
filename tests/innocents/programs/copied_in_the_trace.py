"""Looks like a fault of JIT204.

A clone made of `vars()` in the trace is what gets the attributes.

The object that is passed to `evolved` outlives the trace, its clone does not.
"""
import jax
import jax.numpy as jnp


class Filter:
    """Kalman filter of a scalar; settings are shared by all its clones."""

    def __init__(self, noise):
        self.noise = noise
        self.mean = 0.0
        self.variance = 1.0

    def clone(self):
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        return other

    def evolved(self, **state):
        other = self.clone()
        for name, value in state.items():
            setattr(other, name, value)
        return other

    def correct(self, measurement):
        gain = self.variance / (self.variance + self.noise)
        self.mean = self.mean + gain * (measurement - self.mean)
        self.variance = (1.0 - gain) * self.variance
        return self


TEMPLATE = Filter(noise=0.5)


@jax.jit
def track(measurements):
    def step(state, measurement):
        current = TEMPLATE.evolved(mean=state[0], variance=state[1])
        current.correct(measurement)
        return (current.mean, current.variance), current.mean

    return jax.lax.scan(step, (0.0, 1.0), measurements)[1]


if __name__ == "__main__":
    with jax.checking_leaks():
        means = track(jnp.full(20, 2.0))
    assert abs(float(means[-1]) - 2.0) < 0.1
    assert (TEMPLATE.mean, TEMPLATE.variance) == (0.0, 1.0)
    assert track(jnp.zeros(5)).shape == (5,)

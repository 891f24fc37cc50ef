"""Looks like a fault of JIT311.

The only way the application changes a policy is on a shallow copy that compares by its settings, so the static self of a past trace is never altered.
"""

import copy
import functools

import jax
import jax.numpy as jnp
import numpy as np


class BoltzmannPolicy:
    def __init__(self, temperature=1.0, floor=0.0):
        self.temperature = temperature
        self.floor = floor

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self):
        return hash((type(self), self.temperature, self.floor))

    def adjusted(self, **changes):
        variant = copy.copy(self)
        for name, value in changes.items():
            setattr(variant, name, value)
        return variant

    @functools.partial(jax.jit, static_argnums=0)
    def probabilities(self, preferences):
        soft = jax.nn.softmax(preferences / self.temperature)
        return (1.0 - self.floor) * soft + self.floor / preferences.shape[0]


class Annealer:
    def __init__(self, policy, schedule):
        self.policy = policy
        self.schedule = schedule

    def run(self, preferences):
        sharpness = []
        for temperature in self.schedule:
            self.policy = self.policy.adjusted(temperature=temperature)
            sharpness.append(float(self.policy.probabilities(preferences).max()))
        return sharpness


if __name__ == "__main__":
    preferences = jnp.array([0.0, 1.0, 2.0])
    base = BoltzmannPolicy(floor=0.1)
    annealer = Annealer(base, [4.0, 1.0, 0.25])
    first = annealer.run(preferences)
    assert first == sorted(first) and len(set(first)) == 3
    assert annealer.run(preferences) == first
    assert BoltzmannPolicy.probabilities._cache_size() == 3
    assert base.temperature == 1.0
    greedy = base.adjusted(floor=0.0, temperature=0.01)
    assert np.isclose(greedy.probabilities(preferences)[2], 1.0)

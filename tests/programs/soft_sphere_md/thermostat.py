"""Temperature control."""

import jax.numpy as jnp


def temperature(momentum):
    return (momentum**2).sum() / momentum.size


def weak_coupling(momentum, target, strength):
    factor = jnp.sqrt(1.0 + strength * (target / temperature(momentum) - 1.0))
    return momentum * factor


def rescale(momentum, target, strength):
    current = temperature(momentum)
    while current > target:  # expect: JIT102 @cool
        momentum = momentum * (1.0 - strength)
        current = temperature(momentum)
    return momentum


class Thermostat:
    def __init__(self, target, strength=0.1, rule=weak_coupling):
        if not 0 < strength <= 1:
            raise ValueError("strength must be between 0 and 1")
        self.target = target
        self.strength = strength
        self.rule = rule

    def __call__(self, momentum):
        return self.rule(momentum, self.target, self.strength)

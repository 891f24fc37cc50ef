"""Experiments from a table of builders; a step is compiled after all of it."""

import functools
import math
import random

import jax
import jax.numpy as jnp

BUILDERS = {}


def builder(name):
    def add(function):
        BUILDERS[name] = function
        return function

    return add


def schedule_from(spec):
    """``constant:0.1`` or ``decay:0.1:0.9``."""
    kind, *numbers = spec.split(":")
    numbers = [float(number) for number in numbers]
    if kind == "constant":
        return lambda step: numbers[0]
    if kind == "decay":
        start, rate = numbers

        def decay(step):
            return start * rate ** math.floor(step / 10)  # expect: JIT105 @floor

        return decay
    raise ValueError(f"no schedule {kind!r}")


def noise_from(level, rng):
    """Noise on the gradients, or none."""
    if not level:
        return lambda grads: grads
    return lambda grads: jax.tree.map(
        lambda g: g + level * rng.gauss(0.0, 1.0),  # expect: JIT207 @gauss
        grads,
    )


@builder("quadratic")
def quadratic(**options):
    return lambda w: jnp.sum((w - options.get("centre", 1.0)) ** 2)


@builder("double_well")
def double_well(**options):
    def energy(w):
        return jnp.sum(w**4 - w**2) if w.mean() > 0 else jnp.sum(w**2)  # expect: JIT101 @well

    return energy


def assemble(objective, schedule, noise):
    """From parts to a step."""

    def step(w, index):
        grads = noise(jax.grad(objective)(w))
        return w - schedule(index) * grads

    return step


def compiled(step):
    return functools.wraps(step)(jax.jit(step))


def experiment(name, schedule="constant:0.1", noise=0.0, seed=0, **options):
    """A compiled step for a spec."""
    rng = random.Random(seed)
    objective = BUILDERS[name](**options)
    parts = objective, schedule_from(schedule), noise_from(noise, rng)
    return compiled(assemble(*parts))


def run(step, rounds=3):
    w = jnp.zeros(2)
    for index in range(rounds):
        w = step(w, index)
    return w


if __name__ == "__main__":
    print(run(experiment("quadratic", centre=2.0)))
    print(run(experiment("quadratic", schedule="decay:0.1:0.9")))
    print(run(experiment("double_well", noise=0.1)))

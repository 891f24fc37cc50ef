"""Shapes of learning-rate schedules on [0, 1]."""

import math

import jax.numpy as jnp

CALLS = 0
LATEST = None


def cosine(progress):
    return 0.5 * (1.0 + jnp.cos(math.pi * progress))


def linear(progress):
    return 1.0 - progress


def stepped(progress, drops=(0.5, 0.75)):
    value = 1.0
    for drop in drops:
        value = jnp.where(progress > drop, value * 0.1, value)
    return value


def counted(shape):
    """A shape that counts how often it is asked."""

    def ask(progress):
        global CALLS
        CALLS += 1  # expect: JIT203 @calls
        return shape(progress)

    return ask


def remembered(shape):
    """A shape whose latest value can be looked up."""

    def ask(progress):
        global LATEST
        LATEST = shape(progress)  # expect: JIT203 @latest
        return LATEST

    return ask


SHAPES = {"cosine": cosine, "linear": linear, "stepped": stepped}

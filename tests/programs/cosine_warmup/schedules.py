"""Learning-rate schedules as closures over Python numbers."""

import bisect
import math

import jax.numpy as jnp
import numpy as np


def constant(value):
    if value <= 0:
        raise ValueError("the rate must be positive")
    return lambda step: value


def cosine(peak, total, floor=0.0):
    assert total > 0, "a schedule needs steps"

    def schedule(step):
        part = jnp.minimum(step, total) / total
        return floor + (peak - floor) * 0.5 * (1 + jnp.cos(math.pi * part))

    return schedule


def linear_warmup(peak, warmup, after):
    """Rise to the peak, then follow another schedule."""

    def schedule(step):
        if step < warmup:  # expect: JIT101 @warmup
            return peak * (step + 1) / warmup
        return after(step - warmup)

    return schedule


def smooth_warmup(peak, warmup, after):
    if warmup == 0:
        return after
    return lambda step: jnp.where(step < warmup, peak * (step + 1) / warmup, after(step - warmup))


def piecewise(boundaries, values):
    if len(values) != len(boundaries) + 1:
        raise ValueError("one value more than boundaries")

    def schedule(step):
        return values[bisect.bisect(boundaries, step)]  # expect: JIT110 @bisect

    return schedule


def stairs(start, factor, every):
    def schedule(step):
        drops = math.floor(step / every)  # expect: JIT105 @stairs
        return start * factor**drops

    return schedule


def table(values):
    """Look the rate up in a precomputed table."""
    rates = jnp.asarray(values)
    last = len(values) - 1
    return lambda step: rates[jnp.minimum(step, last)]


def cyclic(low, high, period):
    def schedule(step):
        wave = np.abs(step % period - period / 2) / (period / 2)  # expect: JIT106 @cyclic
        return low + (high - low) * (1 - wave)

    return schedule


def precompute(schedule, steps):
    return [float(schedule(step)) for step in range(steps)]

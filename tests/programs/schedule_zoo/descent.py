"""Gradient descent under a schedule."""

from functools import partial

import jax
import jax.numpy as jnp

from shapes import SHAPES, cosine, counted, linear, remembered

TARGET = jnp.array([1.0, -2.0, 0.5])


def loss(theta):
    return jnp.sum((theta - TARGET) ** 2)


class Schedule:
    """A peak rate times a shape over a number of steps."""

    def __init__(self, shape, peak=0.2, total=10):
        self.shape = shape
        self.peak = peak
        self.total = total

    def __call__(self, step):
        return self.peak * self.shape(step / self.total)


def descend(schedule, theta, steps):
    """Run the loop on the device."""

    def body(theta, step):
        rate = schedule(step)
        return theta - rate * jax.grad(loss)(theta), rate

    return jax.lax.scan(body, theta, jnp.arange(steps))


def counted_run(steps=8):
    return descend(Schedule(counted(cosine)), jnp.zeros(3), steps)


remembering = Schedule(remembered(linear))


@jax.jit
def remembered_step(theta, step):
    return theta - remembering(step) * jax.grad(loss)(theta)


def ramp(theta, steps, seen=[]):
    """Descend with a rate that grows; ``seen`` holds the rates."""
    rate = 0.01
    for _ in range(steps):
        seen.append(rate)  # expect: JIT211 @seen
        theta = theta - rate * jax.grad(loss)(theta)
        rate = rate * 1.5
    return theta


fast_ramp = jax.jit(ramp, static_argnums=1)


@partial(jax.jit, static_argnames=("shape", "drops"))
def shaped(theta, step, shape, drops=()):
    """One step under the shape of that name."""
    factor = SHAPES[shape](step / 10, *([drops] if drops else []))
    return theta - 0.1 * factor * jax.grad(loss)(theta)


@jax.jit
def scheduled(theta, factor):
    return theta - 0.1 * factor * jax.grad(loss)(theta)

"""Try every schedule."""

import jax
import jax.numpy as jnp

from descent import Schedule, counted_run, descend, fast_ramp, loss, remembered_step, scheduled, shaped
from shapes import SHAPES, cosine


def by_name(theta, steps=3):
    """All named shapes."""
    ends = {}
    for name in SHAPES:
        end = theta
        for step in range(steps):
            end = shaped(end, step, shape=name)
        ends[name] = loss(end)
    return ends


def late_drops(theta):
    return shaped(theta, 4, shape="stepped", drops=(0.2, 0.3, 0.6))


def early_drops(theta):
    drops = [0.1, 0.2]
    return shaped(theta, 4, shape="stepped", drops=drops)  # expect: JIT304 @drops


def by_value(theta):
    return scheduled(theta, cosine(0.3))


def by_shape(theta):
    return scheduled(theta, cosine)  # expect: JIT308 @cosine


def compiled(shape, by="steps"):
    """A compiled run under a shape; the number of steps is fixed."""
    return jax.jit(lambda theta, steps: descend(Schedule(shape), theta, steps), static_argnames=by)


def main():
    theta = jnp.zeros(3)
    print(by_name(theta), late_drops(theta), by_value(theta))
    _, rates = counted_run()
    print(rates)
    for step in range(3):
        theta = remembered_step(theta, step)
    print(fast_ramp(theta, 3), compiled(cosine)(theta, steps=4)[0])
    print(early_drops(theta), by_shape(theta))


if __name__ == "__main__":
    main()

"""Newton's method in plain Python around ``jax.grad``; nothing here is compiled by hand."""

import random
import time

import jax
import jax.numpy as jnp

evaluations = 0
shapes_seen = set()


def rosenbrock(point):
    """The banana function; counts and reports its evaluations."""
    global evaluations
    evaluations += 1
    shapes_seen.add(point.shape)
    print(f"evaluation {evaluations}")
    x, y = point
    return (1 - x) ** 2 + 10 * (y - x**2) ** 2


def noisy(point):
    """A draw from the host on every call."""
    return rosenbrock(point) + 1e-3 * random.random() * jnp.sum(point)


def timed_value_and_grad(function):
    def call(point):
        start = time.perf_counter()
        value, slope = jax.block_until_ready(jax.value_and_grad(function)(point))
        return value, slope, time.perf_counter() - start

    return call


class Diary:
    """What the minimiser did."""

    def __init__(self):
        self.lines = []
        self.total = 0.0

    def write(self, value, seconds):
        self.total += seconds
        self.lines.append(f"{float(value):.4f}")


def backtrack(function, point, direction, slope):
    """Halve the length until the value falls."""
    start = function(point)
    decrease = float(jnp.vdot(slope, direction))
    length = 1.0
    while float(function(point + length * direction)) > float(start) + 1e-4 * length * decrease:
        length /= 2
        if length < 1e-6:
            break
    return length


def minimise(function, point, steps=4):
    diary = Diary()
    value_and_grad = timed_value_and_grad(function)
    for _ in range(steps):
        value, slope, seconds = value_and_grad(point)
        diary.write(value, seconds)
        direction = -slope / jnp.linalg.norm(slope)
        point = point + backtrack(function, point, direction, slope) * direction
    return point, diary


def sensitivity(function, points):
    """Directional derivatives one by one."""
    derivatives = []
    for point in points:
        value, derivative = jax.jvp(function, (point,), (jnp.ones_like(point),))
        derivatives.append(float(derivative))
        print(float(value))
    return derivatives


if __name__ == "__main__":
    best, diary = minimise(rosenbrock, jnp.array([-1.0, 1.0]))
    print(best, diary.lines, evaluations)
    print(minimise(noisy, jnp.array([0.5, 0.5]))[0])
    print(sensitivity(rosenbrock, [best, 2 * best]))

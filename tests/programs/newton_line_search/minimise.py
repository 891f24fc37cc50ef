"""Damped Newton with a backtracking line search."""

import dataclasses

import jax
import jax.numpy as jnp
from jax import lax


@dataclasses.dataclass(frozen=True)
class LineSearch:
    """Settings that are fixed before anything is traced."""

    shrink: float = 0.5
    slope: float = 1e-4
    most: int = 20


def rosenbrock(x):
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()


def armijo(objective, x, direction, gradient, rule):
    """Shrink the step until the decrease is sufficient."""
    base, slope = objective(x), rule.slope * (gradient @ direction)
    step = 1.0
    while objective(x + step * direction) > base + step * slope:  # expect: JIT102 @armijo
        step *= rule.shrink
    return step


def armijo_bounded(objective, x, direction, gradient, rule):
    """The same search as a loop on the device."""
    base, slope = objective(x), gradient @ direction

    def insufficient(state):
        count, step = state
        poor = objective(x + step * direction) > base + rule.slope * step * slope
        return poor & (count < rule.most)

    start = (0, jnp.asarray(1.0))
    return lax.while_loop(insufficient, lambda s: (s[0] + 1, s[1] * rule.shrink), start)[1]


def newton_direction(objective, x, damping):
    gradient = jax.grad(objective)(x)
    curvature = jax.hessian(objective)(x)
    if damping is not None:
        curvature = curvature + damping * jnp.eye(x.shape[0])
    return -jnp.linalg.solve(curvature, gradient), gradient


def make_step(objective, search, rule=LineSearch(), damping=None):
    @jax.jit
    def step(x):
        direction, gradient = newton_direction(objective, x, damping)
        return x + search(objective, x, direction, gradient, rule) * direction

    return step


def steepest(objective, rate):
    def update(x, _):
        gradient = jax.grad(objective)(x)
        length = float(jnp.linalg.norm(gradient))  # expect: JIT105 @length
        return x - rate / max(length, 1.0) * gradient, length

    return update


def make_restart(objective, tolerance):
    """A momentum step that forgets its velocity when it points uphill."""

    def step(x, velocity):
        gradient = jax.grad(objective)(x)
        if gradient @ velocity > tolerance:  # expect: JIT101 @uphill
            velocity = jnp.zeros_like(velocity)
        velocity = 0.9 * velocity - 1e-3 * gradient
        return x + velocity, velocity

    return jax.jit(step)


def newton_on_host(objective, x, rule):
    """Newton steps with the plain search, nothing of it compiled."""
    for _ in range(5):
        direction, gradient = newton_direction(objective, x, 1e-3)
        if jnp.linalg.norm(gradient) < 1e-6:
            break
        base, step = objective(x), 1.0
        while objective(x + step * direction) > base and step > 1e-6:
            step *= rule.shrink
        x = x + step * direction
    return x


def main():
    x = jnp.array([-1.2, 1.0, 0.5])
    rule = LineSearch(most=10)
    print(newton_on_host(rosenbrock, x, rule))
    step = make_step(rosenbrock, armijo_bounded, rule, damping=1e-3)
    for _ in range(10):
        x = step(x)
        if float(rosenbrock(x)) < 1e-6:
            break
    print(make_step(rosenbrock, armijo, rule)(x))
    print(lax.scan(steepest(rosenbrock, 1e-3), x, None, length=10)[1])
    print(make_restart(rosenbrock, 0.0)(x, jnp.zeros_like(x)))


if __name__ == "__main__":
    main()

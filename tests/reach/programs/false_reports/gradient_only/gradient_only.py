"""Under grad alone values are there: Python may ask for them."""

import jax
import jax.numpy as jnp

steps = []


def huber(x, width=1.0):
    if jnp.abs(x) < width:
        return 0.5 * x**2
    return width * (jnp.abs(x) - 0.5 * width)


def bounded(x, low, high):
    while x > high:
        x = x - (high - low)
    return x if x > low else low


def descend(x, rounds=3):
    """Never compiled."""
    for _ in range(rounds):
        value, slope = jax.value_and_grad(huber)(x)
        steps.append(float(value))
        if abs(slope) < 1e-3 or value < 1e-6:
            break
        x = x - slope
        print(f"{x:.3f}", end=" ")
    return x


def sensitivity(x):
    out, pull = jax.vjp(lambda v: bounded(v, 0.0, 1.0) ** 2, x)
    (gradient,) = pull(jnp.ones_like(out))
    return float(out), bool(gradient > 0)


def forward(x):
    value, tangent = jax.jvp(huber, (x,), (1.0,))
    return value if value > tangent else tangent


def main():
    print(descend(3.0), sensitivity(2.5), forward(0.3), steps)


if __name__ == "__main__":
    main()

"""Learning-rate cycles as closures."""

import functools
import math
import random

import jax
import jax.numpy as jnp
import optax


def warmup(peak, steps):
    return lambda step: peak * jnp.minimum(1.0, (step + 1) / steps)


def cycle(low, high, length):
    """Between two rates and back."""

    def rate(step):
        phase = (step % length) / length
        return low + 0.5 * (high - low) * (1 - jnp.cos(2 * math.pi * phase))

    return rate


def joined(pieces, boundaries):
    """One schedule after another."""

    def rate(step):
        index = 0
        value = pieces[0](step)

        def following(piece):
            nonlocal index, value
            start = boundaries[index]
            value = jnp.where(step >= start, piece(step - start), value)
            index += 1

        for piece in pieces[1:]:
            following(piece)
        return value

    return rate


def jittered(rate, seed):
    """The same with a factor that is drawn once, when the schedule is made."""
    factor = random.Random(seed).uniform(0.9, 1.1)
    return lambda step: factor * rate(step)


@functools.lru_cache(maxsize=8)
def compiled_cycle(low, high, length):
    return jax.jit(cycle(low, high, length))


@functools.partial(jax.jit, static_argnums=0)
def table(rate, steps):
    """The rates at all steps."""
    return jax.vmap(rate)(steps)


def quadratic(theta):
    return jnp.sum((theta - 2.0) ** 2)


def descend(schedule, steps=8):
    """Use a schedule in Optax, compiled once."""
    optimizer = optax.chain(optax.scale_by_schedule(schedule), optax.scale(-1.0))

    @jax.jit
    def step(theta, state):
        updates, state = optimizer.update(jax.grad(quadratic)(theta), state)
        return optax.apply_updates(theta, updates), state

    theta = jnp.zeros(2)
    state = optimizer.init(theta)
    for _ in range(steps):
        theta, state = step(theta, state)
    return theta


def main():
    schedule = joined([warmup(0.2, 4), cycle(0.01, 0.2, 6)], [4])
    rates = []
    for step in range(6):
        rates.append(float(compiled_cycle(0.01, 0.2, 6)(step)))
    print(rates, table(schedule, jnp.arange(10)), descend(jittered(schedule, seed=3)))


if __name__ == "__main__":
    main()

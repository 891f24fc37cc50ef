"""Cart-pole dynamics as pure functions over a NamedTuple state."""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp

GRAVITY, LENGTH, FORCE, DT = 9.8, 0.5, 10.0, 0.02
ANGLE_LIMIT = 12 * 2 * math.pi / 360


class Cart(NamedTuple):
    x: jax.Array
    speed: jax.Array
    angle: jax.Array
    spin: jax.Array
    steps: jax.Array


def reset(key):
    x, speed, angle, spin = jax.random.uniform(key, (4,), minval=-0.05, maxval=0.05)
    return Cart(x, speed, angle, spin, jnp.zeros((), jnp.int32))


def push(cart, force):
    """One Euler step."""
    sin, cos = jnp.sin(cart.angle), jnp.cos(cart.angle)
    inner = (force + 0.05 * cart.spin**2 * sin) / 1.1
    angular = (GRAVITY * sin - cos * inner) / (LENGTH * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
    linear = inner - 0.05 * angular * cos / 1.1
    return Cart(
        cart.x + DT * cart.speed,
        cart.speed + DT * linear,
        cart.angle + DT * cart.spin,
        cart.spin + DT * angular,
        cart.steps + 1,
    )


def fallen(cart):
    return abs(cart.x) > 2.4 or abs(cart.angle) > ANGLE_LIMIT  # expect: JIT104 @fallen


def fallen_mask(cart):
    return (jnp.abs(cart.x) > 2.4) | (jnp.abs(cart.angle) > ANGLE_LIMIT)


def energy(cart):
    height = LENGTH * math.cos(cart.angle)  # expect: JIT105 @energy
    return GRAVITY * height + 0.5 * cart.speed**2


def reward(cart, shaped=False):
    if shaped:
        return 1.0 - jnp.abs(cart.angle) / ANGLE_LIMIT
    return jnp.ones_like(cart.angle)

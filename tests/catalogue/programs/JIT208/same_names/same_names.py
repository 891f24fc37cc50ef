"""Names that are changed and read, but not the same ones."""

import jax

scale = 2.0
offset = 1.0
TABLE = {"gain": 3.0, "calls": 0}


class Euler:
    order = 1


class Heun:
    order = 2


@jax.jit
def scaled(x, scale):
    return x * scale + Heun.order


@jax.jit
def amplified(x, offset=offset):
    return TABLE["gain"] * x + offset


@jax.jit
def local(x):
    scale = 4.0
    return x * scale


def run(x):
    global scale, offset
    scale, offset, Euler.order = 2.0, 1.0, 1
    rows = []
    for _ in range(2):
        rows.append((scaled(x, scale), amplified(x), local(x)))
        scale += 1.0
        offset -= 1.0
        Euler.order += 1
        TABLE["calls"] += 1
    return rows

"""Control flow outside of jit, with bodies made on the spot."""

import jax.numpy as jnp
from jax import lax


def epochs(x, count=3):
    w = 0.0
    for _ in range(count):
        w, _ = lax.scan(lambda w, row: (w - 0.1 * (w - row), None), w, x)  # expect: JIT312 @scan
    return w


def roots(starts):
    found = []
    for target in starts:
        def unfinished(x):
            return jnp.abs(x * x - target) > 1e-3

        def newton(x):
            return 0.5 * (x + target / x)

        found.append(lax.while_loop(unfinished, newton, target))  # expect: JIT312 @while
    return found


def play(actions):
    position = jnp.zeros(())
    for action in actions:
        position = lax.cond(action > 0, lambda p: p + 1.0, lambda p: p * 0.5, position)  # expect: JIT312 @cond
    return position


def mapped(images, gains):
    return [lax.map(lambda row: row * gain, images) for gain in gains]  # expect: JIT312 @map


def choose(kinds, x):
    for kind in kinds:
        x = lax.switch(kind, [lambda v: v + 1, lambda v: v * 2, lambda v: -v], x)  # expect: JIT312 @switch
    return x

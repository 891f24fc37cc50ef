import jax.numpy as jnp

import descent
import shapes
import tour

from tools.observation import compilations, is_tracer

THETA = jnp.zeros(3)


def counted_less():
    before = shapes.CALLS
    descent.counted_run(8)
    return shapes.CALLS - before < 8


def leaked():
    for step in range(3):
        descent.remembered_step(THETA + 1, step)
    return is_tracer(shapes.LATEST)


def seen_once():
    seen = descent.ramp.__defaults__[0]
    seen.clear()
    for _ in range(3):
        descent.fast_ramp(THETA, 4)
    return len(seen) == 4


def compiled_once():
    run = tour.compiled(shapes.linear)
    run(THETA, steps=4)
    assert compilations(lambda: run(THETA, steps=4)) == 0


HOSTILE = {
    "drops": lambda: tour.early_drops(THETA),
    "cosine": lambda: tour.by_shape(THETA),
}
EXPECT = {"drops": ("ValueError",), "cosine": ("TypeError",)}
SILENT = {"calls": counted_less, "latest": leaked, "seen": seen_once}
INNOCENT = [
    compiled_once,
    lambda: tour.by_name(THETA),
    lambda: tour.late_drops(THETA),
    lambda: tour.by_value(THETA),
]

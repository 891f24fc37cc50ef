import jax
import numpy as np

import pipeline
import stages

from tools.observation import compilations

IMAGES = np.random.default_rng(1).uniform(0.1, 0.9, size=(8, 6, 6)).astype(np.float32)


def repeats(which, name):
    keys = jax.random.split(jax.random.key(0), 8)
    runs = [np.asarray(which.apply(keys, IMAGES)[0]) for _ in range(4)]
    fresh = [np.asarray(stages.STAGES[name](keys[0], IMAGES[0])) for _ in range(12)]
    return all((run == runs[0]).all() for run in runs) and any((f != fresh[0]).any() for f in fresh)


def first_row_kept():
    border = jax.jit(stages.border)
    image = np.asarray(border(jax.random.key(0), IMAGES[0]))
    return bool((image[0, 1:] != 0).all() and (image[-1] == 0).all())


def served_twice():
    before = pipeline.SHAPE.served
    totals = pipeline.serve(pipeline.SHAPE, IMAGES)
    assert pipeline.SHAPE.served - before == 8 and int(totals.seen) == 8
    list(pipeline.SHAPE.batches(IMAGES, 4))
    assert compilations(lambda: list(pipeline.SHAPE.batches(IMAGES, 4))) == 0


HOSTILE = {"salt": lambda: pipeline.serve(pipeline.NOISE, IMAGES)}
EXPECT = {"salt": ("TypeError",)}
SILENT = {
    "uniform": lambda: repeats(pipeline.LIGHT, "brightness"),
    "choice": lambda: repeats(pipeline.LIGHT, "gamma"),
    "border": first_row_kept,
    "light": lambda: float(pipeline.serve(pipeline.SHAPE, IMAGES).light[0]) == 0.0,
}
INNOCENT = [
    served_twice,
    lambda: pipeline.serve(pipeline.FRAME, IMAGES),
    lambda: pipeline.normalise(IMAGES.copy()),
]

"""A pipeline for surveys of the sky, put together by helpers of helpers."""

import dataclasses
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass
class Stage:
    """A named piece of work."""

    name: str
    run: Callable[..., Any]
    compiled: bool = True
    options: dict = dataclasses.field(default_factory=dict)


class Pipeline:
    """Stages in a row."""

    def __init__(self):
        self.stages = []
        self.by_name = {}

    def add(self, stage):
        run = jax.jit(stage.run) if stage.compiled else stage.run
        self.stages.append(dataclasses.replace(stage, run=run))
        self.by_name[stage.name] = run
        return self

    def __call__(self, image):
        for stage in self.stages:
            image = stage.run(image)
        return image


def background_of(options):
    """Subtract what is no star."""
    box = options["box"]

    def background(image):
        level = jnp.median(image)
        if level < 0:  # expect: JIT101 @level
            return image
        return image - level

    def tiled(image):
        rows = image.shape[0] // box
        tiles = image.reshape(rows, box, -1)
        return (tiles - np.percentile(tiles, 50, axis=1, keepdims=True)).reshape(  # expect: JIT106 @percentile
            image.shape
        )

    return tiled if box else background


def detector_of(options):
    threshold = options["threshold"]

    def detect(image):
        bright = image > threshold * image.std()
        where = jnp.argwhere(bright)  # expect: JIT109 @where
        return where.sum(axis=0)

    return detect


def calibration_of(options):
    """Scale and clip; the table maps filters to zero points."""
    zero_points = {"g": 25.0, "r": 24.5}

    def calibrate(image):
        image = image * 10 ** (0.4 * (zero_points[options["band"]] - 25.0))
        low, high = options["clip"]
        assert (image < high).all() or low is None  # expect: JIT103 @saturated
        return image

    return calibrate


def corrections(options):
    """Stages that come before detection."""
    stages = [Stage("background", background_of(options), options=options)]
    if options.get("clip"):
        stages.append(Stage("calibrate", calibration_of(options)))
    return stages


def detection(options):
    return Stage("detect", detector_of(options))


def build(options):
    """The whole pipeline."""
    settings = {"box": 0, "threshold": 3.0, "band": "g", "clip": None, **options}
    made = Pipeline()
    for stage in [*corrections(settings), detection(settings)]:
        made.add(stage)
    return made


PRESETS = {
    "quick": {},
    "deep": {"box": 2},
    "bright": {"clip": (0.0, 100.0), "box": 4},
}


def load(preset):
    """A pipeline by name."""
    return build(PRESETS[preset])

import logging

import jax.numpy as jnp
from terrain_kernels import accel, surface, survey

from tools.observation import compilations

GRID = survey.landscape(7)


def scale():
    # The environment is read while tracing only: a change has no effect.
    surface.os.environ["TERRAIN_SCALE"] = "1.0"
    first = surface.slope(GRID)
    surface.os.environ["TERRAIN_SCALE"] = "3.0"
    second = surface.slope(GRID)
    del surface.os.environ["TERRAIN_SCALE"]
    return bool(jnp.array_equal(first, second))


def tiles():
    surface.Census.tiles = 0
    for _ in range(3):
        surface.slope(survey.landscape(6))
    return surface.Census.tiles == 1


def done():
    surface._pending["erode"] = "again"
    surface.erode(survey.landscape(5), 0.5)
    surface._pending["erode"] = "again"
    surface.erode(survey.landscape(5), 0.5)
    return "erode" in surface._pending


class Keep(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def residual():
    keep = Keep()
    surface.logger.addHandler(keep)
    surface.logger.setLevel(logging.INFO)
    for _ in range(3):
        surface._pending["erode"] = "again"
        surface.erode(survey.landscape(4), 0.5)
    surface.logger.removeHandler(keep)
    return len(keep.lines) == 1 and "Tracer" in keep.lines[0]


def runs():
    surface.blend(GRID, GRID, 0.5)
    surface.Census.runs.clear()
    surface.blend(GRID, GRID, 0.5)
    return not surface.Census.runs


def surveys():
    surface._pending["erode"] = "again"
    survey.survey()
    survey.shoreline(GRID)
    assert compilations(lambda: survey.shoreline(GRID)) == 0
    assert "contours" in accel.KERNELS


HOSTILE = {
    "levels": lambda: survey.contour_map(GRID, 3),
    "weight": lambda: survey.compare(GRID, GRID),
}
EXPECT = {"levels": ("ValueError",), "weight": ("TypeError",)}
SILENT = {"scale": scale, "tiles": tiles, "done": done, "residual": residual, "runs": runs}
INNOCENT = [surveys]

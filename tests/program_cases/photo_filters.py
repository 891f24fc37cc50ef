import jax.numpy as jnp
import numpy as np
from photo_filters import FILTERS, Darkroom, effects

from tools.observation import compilations, is_tracer

image = jnp.asarray(np.random.default_rng(1).random((16, 16, 3)), jnp.float32)

HOSTILE = {
    "edge": lambda: FILTERS["passepartout"](image),
    "screen": lambda: effects.double_exposure(image, image),
    "sheet": lambda: effects.contact_sheet([image, image], 8),
}
EXPECT = {"edge": ("TypeError",), "screen": ("TypeError",), "sheet": ("ValueError",)}


def developed():
    room = Darkroom(1, 1.5)
    room.develop_roll([image, image, image])
    return room.developed == 1


def brightest():
    room = Darkroom(0, 1.2)
    room.develop_roll([image, image])
    return is_tracer(room.brightest)


def hotpixel():
    hot = image.at[0, 0].set(9.0)
    return bool((FILTERS["remove_hot_pixel"](hot) == hot).all())


SILENT = {"developed": developed, "brightest": brightest, "hotpixel": hotpixel}


def compiled_once():
    FILTERS["sharpen"](image)
    assert compilations(lambda: [FILTERS["sharpen"](image) for _ in range(3)]) == 0


INNOCENT = [
    compiled_once,
    lambda: FILTERS["remove_dead_row"](image),
    lambda: effects.mixed_exposure(image, image),
    lambda: effects.contact_strip([image, image], 4),
]

"""Put the steps together."""

from dataclasses import dataclass
from functools import partial

import jax

from . import colour
from .geometry import centre_crop, flip, random_crop, random_rows, roll, shift


@dataclass(frozen=True)
class Config:
    size: int = 8
    style: str = "crop"
    sigma: float | None = None
    grey: float = 0.0
    gamma: tuple[float, float] | None = None


def augment_one(key, image, config):
    keys = jax.random.split(key, 3)
    if config.style == "crop":
        image = random_crop(keys[0], image, config.size)
    elif config.style == "rows":
        image = random_rows(keys[0], image, config.size)
    elif config.style == "shift":
        image = shift(keys[0], image, config.size)
    else:
        image = roll(keys[0], image, config.size)
    image = flip(keys[1], image)
    if config.gamma:
        image = colour.gamma(keys[2], image, *config.gamma)
    if config.sigma is not None:
        image = colour.blur(image, config.sigma)
    return colour.maybe_grey(keys[2], image, config.grey)


def augment_batch(key, images, config=Config()):
    keys = jax.random.split(key, len(images))
    return jax.vmap(partial(augment_one, config=config))(keys, images)


def make_train_augment(config):
    return jax.jit(partial(augment_batch, config=config))  # expect: JIT301 @built


@partial(jax.jit, static_argnums=1)
def evaluation_batch(images, size):
    return jax.vmap(lambda image: centre_crop(image, size))(images)

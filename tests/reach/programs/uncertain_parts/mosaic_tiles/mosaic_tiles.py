"""Loops over what may be an array or a list, with numbers that are static in every call."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def tiles_of(image, count):
    """``count`` is a Python number wherever this is called."""
    rows = image.shape[0] // count
    return [image[k * rows : (k + 1) * rows] for k in range(count)]


def brightness(tiles, digits=None):
    """Numbers for the screen, arrays in a trace."""
    values = [jnp.mean(tile) for tile in tiles]
    if digits is not None:
        return [f"{float(value):.{digits}f}" for value in values]
    return values


@functools.partial(jax.jit, static_argnames="count")
def arrange(image, order, count):
    tiles = jnp.stack(tiles_of(image, count))
    return tiles[order].reshape(-1, image.shape[1])


@jax.jit
def contrast(image):
    tiles = tiles_of(image, 2)
    values = jnp.stack(brightness(tiles))
    spread = values.max() - values.min()
    return {"spread": spread, "tiles": len(tiles), "names": None}


@jax.jit
def total(parts):
    """A tuple of arrays, an array of rows."""
    out = 0.0
    for part in parts:
        out = out + part.sum()
    return out if len(parts) else jnp.zeros(())


def sort_tiles(image, count=2):
    """Host."""
    tiles = tiles_of(np.asarray(image), count)
    ranked = sorted(tiles, key=lambda tile: tile.mean())
    order = [index for index, tile in enumerate(tiles) if tile.mean() > 0.5]
    return arrange(image, jnp.array(order or [0]), count), brightness(ranked, digits=2)


def main():
    image = jnp.arange(8.0).reshape(4, 2) / 8.0
    found = contrast(image)
    if found["spread"] > 0.1 and found["tiles"] == 2:
        print("structured")
    print(sort_tiles(image), total(image), total((image, image[0])))


if __name__ == "__main__":
    main()

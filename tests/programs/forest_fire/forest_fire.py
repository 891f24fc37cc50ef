"""A forest-fire automaton that writes snapshots while it runs compiled."""

import random
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

EMPTY, TREE, FIRE = 0, 1, 2


class Album:
    """Snapshots on disk, and how many there are."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.count = 0
        self.names = []

    def keep(self, forest):
        name = self.folder / f"fire{self.count:03}.txt"
        np.savetxt(name, forest, fmt="%d")
        self.count += 1
        self.names.append(name.name)
        print("kept", name.name, "with", int((np.asarray(forest) == TREE).sum()), "trees")


def plant(side, density=0.6):
    forest = np.zeros((side, side), np.int32)
    for y in range(side):
        for x in range(side):
            if random.random() < density:
                forest[y, x] = TREE
    forest[side // 2, side // 2] = FIRE
    return forest


def burn(forest, key):
    near = jnp.zeros(forest.shape, bool)
    for axis in (0, 1):
        for shift in (-1, 1):
            near |= jnp.roll(forest == FIRE, shift, axis)
    grown = jax.random.bernoulli(key, 0.02, forest.shape)
    return jnp.select(
        [forest == FIRE, (forest == TREE) & near, (forest == EMPTY) & grown],
        [EMPTY, FIRE, TREE],
        forest,
    )


def make_season(album, days):
    """A compiled season of ``days`` that keeps every day in the album."""

    @jax.jit
    def season(forest, key):
        def day(forest, key):
            forest = burn(forest, key)
            io_callback(album.keep, None, forest, ordered=True)
            return forest, (forest == FIRE).sum()

        return jax.lax.scan(day, forest, jax.random.split(key, days))

    return season


def simulate(folder, side=8, days=3, years=2):
    album = Album(folder)
    season = make_season(album, days)
    key = jax.random.key(7)
    forest = plant(side)
    burning = []
    for _ in range(years):
        key, sub = jax.random.split(key)
        forest, fires = season(forest, sub)
        burning.extend(np.asarray(fires).tolist())
    jax.effects_barrier()
    return album, burning

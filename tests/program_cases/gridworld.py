import jax
import episodes
import world

K = jax.random.split(jax.random.key(0), 3)
A = jax.random.randint(jax.random.key(1), (5, 3), 0, 4)
HOSTILE = {
    "walls": lambda: episodes.roll(K, A, world.step_set),
    "move": lambda: episodes.roll(K, A, world.step_list),
    "match": lambda: episodes.roll(K, A, world.step_named),
    "cells": lambda: episodes.list_visits(episodes.roll(K, A)[0]),
}
EXPECT = {
    "walls": ("TypeError",),
    "move": ("TracerIntegerConversionError",),
    "match": ("TracerBoolConversionError",),
    "cells": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: episodes.roll(K, A),
    lambda: episodes.count_visits(episodes.roll(K, A)[0]),
    lambda: episodes.visited_cells(episodes.roll(K, A)[0]),
    lambda: episodes.shortest((0, 0), (3, 3)),
]

import jax
import world as w

K = jax.random.split(jax.random.key(0), 3)
A = jax.random.randint(jax.random.key(1), (5, 3), 0, 4)
HOSTILE = {
    "walls": lambda: w.roll(K, A, w.step_set),
    "move": lambda: w.roll(K, A, w.step_list),
    "match": lambda: w.roll(K, A, w.step_named),
    "cells": lambda: w.list_visits(w.roll(K, A)[0]),
}
EXPECT = {
    "walls": ("TypeError",),
    "move": ("TracerIntegerConversionError",),
    "match": ("TracerBoolConversionError",),
    "cells": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: w.roll(K, A),
    lambda: w.count_visits(w.roll(K, A)[0]),
    lambda: w.visited_cells(w.roll(K, A)[0]),
    lambda: w.shortest((0, 0), (3, 3)),
]

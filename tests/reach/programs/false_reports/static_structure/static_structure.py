"""Everything that a trace knows: shapes, types, names, enumerations, matches."""

import enum
import functools
import math

import jax
import jax.numpy as jnp
import numpy as np


class Padding(enum.Enum):
    NONE = 0
    ZERO = 1
    EDGE = 2


def pad_width(length, multiple):
    return math.ceil(length / multiple) * multiple - length


@functools.partial(jax.jit, static_argnames=("multiple", "padding"))
def blocks(x, multiple=4, padding=Padding.ZERO):
    match padding:
        case Padding.NONE:
            if x.shape[0] % multiple:
                raise ValueError("does not fit")
        case Padding.ZERO | Padding.EDGE if (width := pad_width(x.shape[0], multiple)) > 0:
            mode = "edge" if padding is Padding.EDGE else "constant"
            x = jnp.pad(x, (0, width), mode=mode)
        case _:
            pass
    return x.reshape(-1, multiple)


@jax.jit
def described(batch):
    match batch:
        case {"x": x, "y": y}:
            pair = x + y
        case (x, y):
            pair = x - y
        case _:
            pair = jnp.zeros(())
    sizes = {leaf.shape for leaf in jax.tree.leaves(batch)}
    return pair, len(sizes), np.prod(pair.shape)


@functools.singledispatch
def flatten(value):
    return jnp.ravel(value)


@flatten.register(list)
@flatten.register(tuple)
def _(value):
    return jnp.concatenate([flatten(item) for item in value])


@flatten.register(dict)
def _(value):
    return flatten([value[name] for name in sorted(value)])


@functools.lru_cache
def window(length):
    return np.hanning(length + 2)[1:-1]


@jax.jit
def weighted(tree):
    vector = flatten(tree)
    rows, dtype = vector.size, vector.dtype
    if dtype == jnp.float32 and rows in (4, 6):
        return vector * window(rows)
    return vector[:rows:2] if rows > 2 else vector


def main():
    x = jnp.arange(3.0)
    print(blocks(x), blocks(x, 2, Padding.EDGE), blocks(x, 3, Padding.NONE))
    print(described({"x": x, "y": x}), described((x, x)), weighted({"a": [x, x], "b": x[:0]}))


if __name__ == "__main__":
    main()

"""Compiled functions wait in tables, objects and closures; all of them are harmless."""

import functools
import types

import jax
import jax.numpy as jnp


class Library:
    """Kernels by name and size, compiled when first asked for."""

    def __init__(self):
        self._made = {}
        self.misses = 0

    def get(self, name, size):
        if (name, size) not in self._made:
            self.misses += 1
            self._made[name, size] = jax.jit(BUILD[name](size))
        return self._made[name, size]


def blur(size):
    if size % 2 == 0:
        raise ValueError("odd sizes only")
    weights = jnp.ones(size) / size
    return lambda x: jnp.convolve(x, weights, mode="same")


def sharpen(size):
    smooth = blur(size)
    strength = 2.0 if size > 3 else 1.0

    def kernel(x):
        return x + strength * (x - smooth(x))

    return kernel


BUILD = types.MappingProxyType({"blur": blur, "sharpen": sharpen})


def make_all(sizes):
    """Three helpers deep."""

    def one(name):
        return {size: BUILD[name](size) for size in sizes}

    def compiled(kernels):
        return {size: jax.jit(kernel) for size, kernel in kernels.items()}

    return {name: compiled(one(name)) for name in BUILD}


def chain(library, steps):
    def run(x):
        for name, size in steps:
            x = library.get(name, size)(x)
        return x

    return run


@functools.cache
def table(size):
    """Cached on the host: integers only."""
    return make_all((size,))


def main():
    library = Library()
    x = jnp.arange(6.0)
    for _ in range(3):
        x = chain(library, [("blur", 3), ("sharpen", 5)])(x)
    print(x, library.misses, table(3)["blur"][3](x).max() > 0)


if __name__ == "__main__":
    main()

"""How this project compiles its kernels."""

import functools

import jax

KERNELS = {}


def kernel(fn=None, *, static=()):
    """Compile a function and register it under its name."""
    if fn is None:
        return functools.partial(kernel, static=static)
    compiled = jax.jit(fn, static_argnames=static)
    KERNELS[fn.__name__] = compiled
    return compiled


def checked_kernel(fn):
    """Compile a function of grids; refuse anything but floating point on the way in."""
    compiled = jax.jit(fn)

    @functools.wraps(fn)
    def run(grid, *args):
        if grid.dtype.kind != "f":
            raise TypeError(f"{fn.__name__} wants floating point, got {grid.dtype}")
        print("running", fn.__name__, "on", grid.shape)
        return compiled(grid, *args)

    return run

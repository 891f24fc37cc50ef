"""Functions that behave well in both worlds: run directly and while being traced."""

import logging
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np

logger = logging.getLogger(__name__)


class Debugger:
    """Keeps intermediate values when there are values to keep."""

    def __init__(self):
        self.values = {}
        self.calls = 0

    def look(self, name, value):
        if not isinstance(value, jax.core.Tracer):
            self.calls += 1
            self.values[name] = value
            print(f"{name}: {value}")
        return value


debugger = Debugger()


@lru_cache(maxsize=None)
def fourier_basis(size):
    """A NumPy table; safe to cache from anywhere."""
    table = np.zeros((size, size), np.float32)
    for row in range(size):
        table[row] = np.cos(np.pi * row * (np.arange(size) + 0.5) / size)
    return table


def check_range(x):
    """Warn about large inputs, where they can be seen."""
    if isinstance(x, jax.core.Tracer):
        return x
    largest = float(jnp.abs(x).max())
    if largest > 100:
        logger.warning("large input: %s", largest)
    return x


def smooth(x, keep=3):
    x = check_range(x)
    basis = fourier_basis(x.shape[-1])
    spectrum = debugger.look("spectrum", x @ basis.T)
    kept = jnp.arange(x.shape[-1]) < keep
    return debugger.look("smooth", jnp.where(kept, spectrum, 0.0) @ jnp.linalg.inv(basis.T))


@jax.jit
def constant_window(x):
    """The window is worked out while tracing, with real numbers."""
    with jax.ensure_compile_time_eval():
        window = jnp.hanning(x.shape[0])
        peak = float(window.max())
        if peak <= 0:
            raise ValueError("the window is empty")
        print(f"window of {x.shape[0]}")
    return x * window / peak


smooth_fast = jax.jit(smooth, static_argnames="keep")


def roughness(x):
    return jnp.sum(jnp.diff(smooth(x)) ** 2)


def main():
    x = jnp.sin(jnp.arange(8.0))
    smooth(x)
    print(smooth_fast(x), smooth_fast(x, keep=2))
    print(jax.jit(jax.grad(roughness))(x), debugger.calls)
    print(jax.vmap(smooth)(jnp.stack([x, -x])).shape, constant_window(x))


if __name__ == "__main__":
    main()

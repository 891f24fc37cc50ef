"""One source for NumPy and JAX: which of them it is can be asked."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def total(values, xp=np):
    if xp is np:
        if values.sum() > 1e6:
            raise OverflowError("too much")
        return float(values.sum())
    return xp.sum(values)


def first_positive(values, xp):
    """NumPy can stop early."""
    if xp is not jnp:
        for index, value in enumerate(values):
            if value > 0:
                return index
        return -1
    return xp.argmax(values > 0)


def smooth(values, method=None):
    kernel = jnp.ones(3) / 3
    if method is scipy_like:
        return method(np.asarray(values))
    if method is None or method is jnp.convolve:
        return jnp.convolve(values, kernel, mode="same")
    return method(values)


def scipy_like(values):
    out = np.array(values)
    out[1:-1] = (values[:-2] + values[1:-1] + values[2:]) / 3
    return out


class Backend:
    xp = np

    def peak(self, values):
        if type(self) is Backend:
            return sorted(values.tolist())[-1]
        return self.xp.max(values)


class JaxBackend(Backend):
    xp = jnp


@functools.partial(jax.jit, static_argnames="backend")
def summary(values, backend=JaxBackend):
    peak = backend().peak(values)
    return total(values, xp=backend.xp), first_positive(values, backend.xp), peak, smooth(values)


def main():
    values = jnp.array([-1.0, 2.0, 3.0])
    host = np.asarray(values)
    print(summary(values), total(host), first_positive(host, np), Backend().peak(host))
    print(smooth(values, scipy_like))


if __name__ == "__main__":
    main()

"""Get numbers out of compiled loops: to a list, a file, a counter."""

import datetime
import functools
import io

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

received = []
total_rows = 0


def receive(step, value):
    """Runs on the host for every step."""
    received.append((int(step), float(value)))


class FileSink:
    """Rows with a time stamp in a text stream."""

    def __init__(self, stream):
        self.stream = stream
        self.rows = 0

    def write(self, value):
        global total_rows
        total_rows += 1
        self.rows += 1
        self.stream.write(f"{datetime.datetime.now():%H:%M:%S} {float(value):.3f}\n")
        return np.int32(self.rows)


def host_noise(shape):
    """Fresh numbers from NumPy's generator."""
    return np.random.normal(size=shape).astype(np.float32)


@functools.partial(jax.jit, static_argnames="steps")
def relax(x, steps):
    """Damped iteration that reports its residual."""

    def body(i, x):
        residual = jnp.abs(x - jnp.cos(x)).max()
        jax.debug.callback(receive, i, residual)
        return x - 0.5 * (x - jnp.cos(x))

    return jax.lax.fori_loop(0, steps, body, x)


def make_logged(sink):
    """A compiled mean that is written to the sink at every call."""

    @jax.jit
    def logged(x):
        mean = x.mean()
        row = io_callback(sink.write, jax.ShapeDtypeStruct((), jnp.int32), mean, ordered=True)
        jax.debug.print("row {row}: {mean}", row=row, mean=mean)
        return mean

    return logged


@jax.jit
def perturbed(x):
    noise = io_callback(lambda: host_noise(x.shape), jax.ShapeDtypeStruct(x.shape, jnp.float32))
    return x + 0.1 * noise


@jax.jit
def ranked(x):
    """Ranks through NumPy."""

    def ranks(values):
        out = np.empty_like(values)
        out[np.argsort(values)] = np.arange(len(values), dtype=values.dtype)
        return out

    return jax.pure_callback(ranks, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def main():
    stream = io.StringIO()
    logged = make_logged(FileSink(stream))
    x = relax(jnp.array([0.1, 2.0]), steps=4)
    for _ in range(3):
        x = perturbed(x)
        logged(x)
    jax.effects_barrier()
    print(stream.getvalue(), len(received), ranked(x), total_rows)


if __name__ == "__main__":
    main()

"""Host code that compiled code calls: it gets numbers."""

import functools
import logging
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

logger = logging.getLogger(__name__)


class Progress:
    """Counts on the host, behind callbacks."""

    def __init__(self, every=2):
        self.every = every
        self.count = 0
        self.best = None
        self.rows = []

    def update(self, step, loss):
        self.count += 1
        if self.best is None or loss < self.best:
            self.best = float(loss)
        if int(step) % self.every == 0:
            self.rows.append(f"{int(step)}: {loss:.3f}")
            logger.info("%d %f at %s", step, loss, time.time())

    def clock(self):
        return np.float32(time.perf_counter())


def quantile(values, q):
    ranked = sorted(np.asarray(values).tolist())
    return np.float32(ranked[int(q * (len(ranked) - 1))])


def make_run(progress, steps=4):
    def body(step, w):
        loss = jnp.sum(w**2)
        jax.debug.callback(progress.update, step, loss)
        return 0.5 * w

    @jax.jit
    def run(w):
        started = io_callback(progress.clock, jax.ShapeDtypeStruct((), jnp.float32), ordered=True)
        w = jax.lax.fori_loop(0, steps, body, w)
        shape = jax.ShapeDtypeStruct((), jnp.float32)
        middle = jax.pure_callback(functools.partial(quantile, q=0.5), shape, w)
        return w, middle, started

    return run


def main():
    progress = Progress()
    run = make_run(progress)
    _, middle, _ = run(jnp.array([1.0, 3.0, 2.0]))
    jax.effects_barrier()
    print(progress.count, progress.best, progress.rows, float(middle))


if __name__ == "__main__":
    main()

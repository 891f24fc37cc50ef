"""From the start to the saved result."""

import time

import jax
import jax.numpy as jnp
import numpy as np

from timers import Timer, timed


@timed
@jax.jit
def simulate(x):
    return jax.lax.fori_loop(0, 30, lambda _, a: jnp.tanh(a @ x), x)


def save(x):
    return np.asarray(x).tobytes()


def main():
    start = time.time()
    x = simulate(jnp.eye(200))
    with Timer() as timer:
        y = timer.wait_for(jnp.dot(x, x))
    with Timer():
        total = float(y.sum())
    data = save(y)
    print(f"done in {time.time() - start:.1f} s: {total:.2f}, {len(data)} bytes")
    return timer.seconds


if __name__ == "__main__":
    main()

"""Where the timers are used."""

import jax
import jax.numpy as jnp

from timing import Stopwatch, Timer, benchmark, clock, timed


@jax.jit
def diffuse(image):
    def step(_, image):
        return 0.25 * sum(jnp.roll(image, s, a) for s in (1, -1) for a in (0, 1))

    return jax.lax.fori_loop(0, 60, step, image)


@timed
def blur(image):
    return diffuse(image)


@timed
def count(names):
    return sorted(set(names))


def with_timer(image):
    diffuse(image).block_until_ready()
    with Timer("diffuse") as timer:  # expect: JIT401 @with
        result = diffuse(image)
    return timer.seconds, result


def with_clock(image):
    times = {}
    diffuse(image).block_until_ready()
    with clock(times, "diffuse"):  # expect: JIT401 @clock
        result = diffuse(image)
    with clock(times, "names"):
        count(["b", "a"])
    return times, result


def with_stopwatch(image):
    watch = Stopwatch()
    diffuse(image).block_until_ready()
    watch.start()
    result = diffuse(image)
    seconds = watch.stop()  # expect: JIT401 @stopwatch
    return seconds, result


def measured(image):
    return benchmark(diffuse, image)

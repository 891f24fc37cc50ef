import first_steps_tour as tour
import jax.numpy as jnp

from tools.observation import compilations, is_tracer, printed


# A second make_jaxpr of the same function is served by the cache: what it prints comes once.
first, second = printed(tour.look_at_jaxprs), printed(tour.look_at_jaxprs)


def kept():
    return len(tour.seen_temperatures) == 1 and is_tracer(tour.seen_temperatures[0])


def runs():
    counted, count = tour.counting_version(jnp.tanh)
    for k in range(3):
        counted(jnp.float32(k))
    return count() == 1


def per_iteration(loop):
    start = jnp.float32(32.0)
    tour.halve_until_small_plain(start)
    return compilations(lambda: loop(start))


SILENT = {
    "kept": kept,
    "shown": lambda: "inputs: JitTracer" in first and "inputs:" not in second,
    "runs": runs,
    "partial": lambda: per_iteration(tour.halve_until_small_partial) >= 5,
    "anonymous": lambda: per_iteration(tour.halve_until_small_lambda) >= 5,
}


def served():
    assert per_iteration(tour.halve_until_small_plain) == 0
    assert per_iteration(tour.halve_until_small_outside) <= 1


INNOCENT = [served, lambda: tour.feels_like_quietly(2.0, 8.0)]

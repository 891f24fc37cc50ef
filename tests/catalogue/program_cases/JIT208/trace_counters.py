import counters
import jax.numpy as jnp


def once():
    counters.traces = 0
    counters.norm.clear_cache()
    for k in range(3):
        counters.norm(jnp.full(4, float(k)))
    return counters.traces == 1


HOSTILE = {}
SILENT = {"traces": once}
INNOCENT = [counters.test_traced_once]

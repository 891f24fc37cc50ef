"""Customers in queues, with a scan over arrivals."""

import jax
import jax.numpy as jnp


def serve(state, arrival):
    queues, clock, served = state
    shortest = jnp.argmin(queues)
    clock = clock + arrival["gap"]
    if queues[shortest] > arrival["patience"]:  # expect: JIT101 @left
        return (queues, clock, served), False
    queues = queues.at[shortest].add(arrival["work"])
    return (queues, clock, served + 1), True


@jax.jit
def simulate(arrivals, servers):
    state = (jnp.zeros_like(servers), 0.0, 0)
    state, kept = jax.lax.scan(serve, state, arrivals)
    return state[0].max(), kept.mean()

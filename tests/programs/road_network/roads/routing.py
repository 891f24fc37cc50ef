"""Shortest paths by relaxation, with traffic that depends on the routes."""

import functools

import jax
import jax.numpy as jnp
from jax.core import Tracer

from .network import Network

calls = {"eager": 0, "rounds": 0}


def relax(network, distance):
    offer = distance[network.sender] + network.length
    return jnp.minimum(
        distance,
        jax.ops.segment_min(offer, network.receiver, num_segments=network.crossings),
    )


@jax.jit
def distances(network: Network, source):
    """Distances from a crossing to all others."""
    if not isinstance(source, Tracer):
        calls["eager"] += 1
    start = jnp.full(network.crossings, jnp.inf).at[source].set(0.0)

    def changed(state):
        before, now = state
        return (before != now).any()

    def improve(state):
        _, now = state
        return now, relax(network, now)

    return jax.lax.while_loop(changed, improve, (start, relax(network, start)))[1]


all_pairs = jax.jit(jax.vmap(distances, in_axes=(None, 0)))


@functools.cache
def with_tolls(rate):
    """A router for one toll rate; there are few of them."""

    @jax.jit
    def routed(network, source):
        tolled = {}
        tolled["extra"] = rate * network.degrees()[network.receiver]
        return distances(network.with_traffic(tolled["extra"]), source)

    return routed


def rush_hour(network, source, rates=(0.1, 0.2), rounds=3):
    report = {}
    for rate in rates:
        for number in range(rounds):
            calls["rounds"] += 1
            reached = with_tolls(rate)(network, (source + number) % network.crossings)
            report.setdefault(rate, []).append(float(reached.max()))
        print(f"rate {rate}: {report[rate]}")
    return report

"""Locality-sensitive hashing of vectors."""

import jax
import jax.numpy as jnp

BITS = 8
POWERS = 2 ** jnp.arange(BITS)


def codes(planes, vectors):
    signs = (vectors @ planes.T > 0).astype(jnp.int32)
    return signs @ POWERS


@jax.jit
def buckets(planes, vectors):
    table = {}
    for position, code in enumerate(codes(planes, vectors)):
        table.setdefault(code, []).append(position)  # expect: JIT111 @bucket
    return len(table)


@jax.jit
def collisions(planes, query, vectors):
    same = codes(planes, vectors) == codes(planes, query[None])[0]
    return vectors[same]  # expect: JIT109 @same

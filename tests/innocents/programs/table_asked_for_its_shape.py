"""Looks like a fault of JIT314.

attrgetter takes nothing but shape and dtype of the big array.

The values of the table reach the program as an argument.
"""
import operator

import jax
import jax.numpy as jnp
import numpy as np

EMBEDDING = np.random.default_rng(0).normal(size=(2000, 256)).astype(np.float32)
describe = operator.attrgetter("shape", "dtype", "nbytes")


@jax.jit
def initial_statistics(tokens):
    (rows, width), dtype, nbytes = describe(EMBEDDING)
    counts = jnp.zeros(rows, jnp.int32).at[tokens].add(1)
    share = counts.sum() * width * jnp.dtype(dtype).itemsize / nbytes
    return {"counts": counts, "mean": jnp.zeros(width, dtype), "share": share}


@jax.jit
def lookup(table, tokens):
    return table[tokens].mean(0)


def describe_corpus(tokens):
    statistics = initial_statistics(tokens)
    return {**statistics, "mean": lookup(EMBEDDING, tokens)}


if __name__ == "__main__":
    tokens = jnp.array([1, 1, 5])
    found = describe_corpus(tokens)
    assert int(found["counts"][1]) == 2
    assert jnp.allclose(found["mean"], EMBEDDING[[1, 1, 5]].mean(0), atol=1e-5)
    program = initial_statistics.lower(tokens).as_text()
    assert len(program) < 20_000
    assert all(np.size(c) < 100 for c in jax.make_jaxpr(initial_statistics)(tokens).consts)

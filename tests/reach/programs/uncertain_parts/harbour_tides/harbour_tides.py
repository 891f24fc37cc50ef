"""Tides: uncertain parts whose use is harmless all the same."""

import functools
import json

import jax
import jax.numpy as jnp

SPEC = '{"constituents": {"m2": [1.2, 12.42], "s2": [0.4, 12.0]}, "phases": [0, 1], "name": "H"}'


def load(text=SPEC):
    return json.loads(text)


def heights(spec, hours):
    """Static structure from a file, traced hours."""
    total = jnp.zeros_like(hours)
    for name, (amplitude, period) in spec["constituents"].items():
        if name.startswith("m"):
            amplitude = 1.1 * amplitude
        if amplitude > 1.0 and spec["phases"][0] == 0:
            total = total + amplitude * jnp.cos(2 * jnp.pi * hours / period)
        else:
            total = total + amplitude * jnp.sin(2 * jnp.pi * hours / period)
    return total


def make(spec):
    @jax.jit
    def predict(hours):
        return heights(spec, hours)

    return predict


@functools.partial(jax.jit, static_argnames="kind")
def extreme(levels, kind="high"):
    """Either a number or an array; only static parts are asked."""
    scale = 1.0 if kind == "high" else levels.std()
    if kind == "high" and scale == 1.0:
        return levels.max()
    return levels.min() * scale


@jax.jit
def same_structure(first, second):
    """Compares trees by structure, which is known."""
    if jax.tree.structure(first) == jax.tree.structure(second):
        return jax.tree.map(jnp.add, first, second)
    return first


@jax.jit
def leaves(state):
    found = [leaf for leaf in jax.tree.leaves(state) if leaf.ndim > 0]
    if not found:
        return jnp.zeros(())
    return sum(leaf.sum() for leaf in found) + len(found)


@jax.jit
def pick(table, index):
    """An array may be indexed by a tracer, a dictionary by a static key."""
    row = table["levels"][index]
    names = sorted(table)
    return row * len(names) + table[names[0]][0]


def main():
    spec = load()
    levels = make(spec)(jnp.arange(4.0))
    state = {"levels": levels, "mean": levels.mean()}
    print(extreme(levels), extreme(levels, "low"), leaves(state), pick({"levels": levels}, 2))
    print(same_structure(state, state), same_structure(state, {"levels": levels}))


if __name__ == "__main__":
    main()

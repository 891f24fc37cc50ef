"""Keep parameters in memory and on disk."""

import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np


class Store:
    """Snapshots in a folder, newest last."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.names = []
        self.steps = open(self.folder / "steps.jsonl", "a", buffering=1)

    def save(self, name, params):
        arrays = {str(i): np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(params))}
        np.savez(self.folder / f"{name}.npz", **arrays)
        self.names.append(name)

    def stamp(self, step_name, tree):
        """Note which arrays a step works on."""
        shapes = [list(leaf.shape) for leaf in jax.tree.leaves(tree)]
        self.steps.write(json.dumps({"step": step_name, "shapes": shapes}) + "\n")  # expect: JIT206 @stamp
        return tree


def sizes(tree):
    """Number of elements by leaf."""
    table = {}

    def visit(path, leaf):
        table[jax.tree_util.keystr(path)] = leaf.size

    jax.tree_util.tree_map_with_path(visit, tree)
    return table


def keep_best(loss_fn):
    """Wrap a loss: ``best()`` gives the parameters of the lowest value."""
    best = None
    calls = 0

    def wrapped(params, batch):
        nonlocal best, calls
        value = loss_fn(params, batch)
        calls += 1  # expect: JIT203 @count
        best = params if best is None else jax.tree.map(jnp.minimum, best, params)  # expect: JIT203 @best
        return value

    wrapped.best = lambda: (best, calls)
    return wrapped

"""Innocent, though it looks like JIT106.

What makes it right: object handed to a plugin.
"""

import importlib.util
import pathlib
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

PLUGIN = """
import jax.numpy as jnp

def prepare(system):
    system.neighbours = jnp.asarray(system.neighbours)
    return system
"""


def load(path):
    spec = importlib.util.spec_from_file_location("plugin", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class System:
    def __init__(self, n):
        self.neighbours = np.roll(np.arange(n), 1)


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "plugin.py"
    path.write_text(PLUGIN)
    system = System(6)
    load(path).prepare(system)


@jax.jit
def neighbour(i):
    return system.neighbours[i]


print(neighbour(jnp.int32(2)))

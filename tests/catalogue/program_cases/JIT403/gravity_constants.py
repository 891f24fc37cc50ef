import jax
import jax.numpy as jnp

import gravity


def narrow(result, dtype):
    return result.dtype == dtype


def asked_in_vain():
    positions = jnp.ones((3, 3))
    staged = str(jax.make_jaxpr(gravity.energy)(positions))
    return narrow(gravity.energy(positions), "float32") and "f64" not in staged


def host_table():
    assert gravity.table().dtype == "float64"


HOSTILE = {}
SILENT = {
    "masses": lambda: narrow(gravity.MASSES, "float32"),
    "scalar": lambda: narrow(gravity.G, "float32"),
    "string": lambda: narrow(gravity.start(2), "float32"),
    "astype": asked_in_vain,
    "numpy": lambda: narrow(gravity.grid(3), "float32"),
    "complex": lambda: narrow(gravity.spectrum([1.0]), "complex64"),
    "random": lambda: narrow(gravity.perturbation(jax.random.key(0)), "float32"),
    "convert": lambda: narrow(gravity.ticks(1.5), "int32"),
}
INNOCENT = [host_table]

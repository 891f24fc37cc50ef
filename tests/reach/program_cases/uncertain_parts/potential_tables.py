import json
import pathlib
import tempfile

import jax.numpy as jnp
import potential_tables as m

PATH = pathlib.Path(tempfile.mkdtemp()) / "table.json"
PATH.write_text(json.dumps({"energy": [1.0, -2.0, 3.0], "force": [0.5, 1.0, 2.0]}))
energy, force, near = m.compiled(PATH)
V = jnp.arange(3.0)
HOSTILE = {
    "bound": lambda: energy(1),
    "larger": lambda: force(0, 2.0),
    "nonzero": lambda: near(jnp.array([0, 2])),
    "auto": lambda: m.total_energy(V, "auto"),
    "total": lambda: m.total_energy(V, "kcal"),
    "width": lambda: m.smoothing(V, "peak"),
    "maximum": lambda: m.mixed({"a": V, "b": 1.0}),
    "empty": lambda: m.summed({"a": V, "b": 1.0}),
}
EXPECT = {
    "bound": ("TracerBoolConversionError",),
    "larger": ("TracerBoolConversionError",),
    "nonzero": ("NonConcreteBooleanIndexError",),
    "auto": ("ConcretizationTypeError",),
    "total": ("TracerBoolConversionError",),
    "width": ("TypeError",),
    "maximum": ("TracerArrayConversionError",),
    "empty": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: m.smoothing(V, "fixed"), lambda: m.smoothing(V)]

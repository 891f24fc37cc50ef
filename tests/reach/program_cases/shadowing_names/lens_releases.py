import importlib
import sys
from pathlib import Path

import jax.numpy as jnp

#: the folder of the program that is run, which may be a copy
HERE = Path(sys.path[0])


def load(release):
    for name in ("optics", "optics.lens", "rays"):
        sys.modules.pop(name, None)
    sys.path.insert(0, str(HERE / release))
    importlib.invalidate_caches()
    try:
        return importlib.import_module("rays")
    finally:
        del sys.path[0]


OLD, NEW = load("release-1"), load("release-2")
S, A = [jnp.float32(2.0), jnp.float32(-1.0)], jnp.array([2.0, 0.0])
HOSTILE = {"spreads": lambda: OLD.diverges(S), "used": lambda: NEW.bend(A, 1.0)}
EXPECT = {
    "spreads": ("TracerBoolConversionError",),
    "used": ("IndexError", "TypeError", "TracerIntegerConversionError"),
}
INNOCENT = [lambda: OLD.bend(S, 1.0), lambda: NEW.approximate(A)]

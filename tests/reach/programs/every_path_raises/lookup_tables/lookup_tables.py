"""Refraction of light with tables that are loaded once, later."""

import jax
import jax.numpy as jnp
import numpy as np

_GLASS = None
_ready = False
settings = {}


def load(indices):
    """Must be called before anything is traced."""
    global _GLASS, _ready
    _GLASS = np.asarray(indices, np.float32)
    _ready = True
    settings["units"] = "mm"


def glass():
    if _GLASS is None:
        raise LookupError("load the glass table first")
    return _GLASS


def check_ready():
    if not _ready:
        raise RuntimeError("not ready")


def stack(*surfaces):
    """All surfaces as one array."""
    if len(surfaces) == 0:
        raise ValueError("a lens has at least one surface")
    return jnp.stack(surfaces)


def index_at(position):
    table = jnp.asarray(glass())
    return jnp.interp(position, jnp.linspace(0.0, 1.0, table.size), table)


def bend(angle, position):
    """Snell's law, with total reflection."""
    sine = jnp.sin(angle) * index_at(position)
    if sine > 1.0:  # expect: JIT101 @reflection
        return jnp.pi - angle
    return jnp.arcsin(sine)


def focus(surfaces, height):
    """Through all surfaces."""
    lens = stack(*surfaces)
    total = jnp.sum(1.0 / lens)
    return height / total if abs(total) > 1e-6 else jnp.inf  # expect: JIT101 @afocal


def in_units(length):
    """The length, and its unit in the log."""
    if "units" not in settings:
        raise RuntimeError("no units")
    label = f"{length:.3f} {settings['units']}"  # expect: JIT105 @label
    return length, len(label)


@jax.jit
def trace_ray(angle, position):
    return bend(angle, position)


@jax.jit
def image_distance(surfaces, height):
    check_ready()
    return focus(surfaces, height)


@jax.jit
def measured(surfaces):
    return in_units(jnp.sum(surfaces[0]))[0]


@jax.jit
def dispersion(position):
    """How the index changes, rounded to what the catalogue gives."""
    check_ready()
    slope = jax.grad(index_at)(position)
    return np.round(slope, 3) if slope.item() else 0.0  # expect: JIT105 @slope


def main():
    load([1.5, 1.52, 1.6])
    print(trace_ray(0.3, 0.2), image_distance([jnp.float32(2.0)], 1.0))
    print(measured([jnp.float32(2.0)]), dispersion(0.5))


if __name__ == "__main__":
    main()

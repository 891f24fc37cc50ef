import jax.numpy as jnp
import zoo

from tools.observation import effects, is_tracer

X = jnp.ones(8)


def notes():
    held = zoo.Noting.postprocess.__defaults__[0]
    held.clear()
    layer = zoo.Noting(8)
    layer(X)
    return is_tracer(held)


def logged():
    layer = zoo.Logged(8)
    found = [effects(lambda: layer(X * k), vars(zoo)) for k in (1, 2)]
    return "log" in found[0] and "log" not in found[1]


def dropped_units():
    layer = zoo.Dropped(8)
    return bool((layer(X) == layer(X)).all()) and bool((layer(X * 2) == 2 * layer(X)).all())


HOSTILE = {"assign": lambda: zoo.InPlace(8)(X)}
EXPECT = {"assign": ("TypeError",)}
SILENT = {
    "dropped": lambda: bool(zoo.Functional(8)(X)[0] != 0.0),
    "notes": notes,
    "logged": logged,
    # Eight outputs of 8.0 are not above the limit, and should have come back.
    "swallowed": lambda: bool((zoo.Tolerant(8)(X) == 0.0).all()),
    "dropped_units": dropped_units,
}
INNOCENT = [lambda: zoo.Dense(8)(X)]

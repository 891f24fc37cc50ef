import classifier as m
import jax.numpy as jnp

from tools.observation import is_tracer

M, X = m.make(), jnp.ones(2)


def seen():
    try:
        m.step(M, X, jnp.int32(1))
    except Exception:
        pass
    return is_tracer(m.seen)


HOSTILE = {
    "temperature": lambda: m.loss_of(M, X, jnp.int32(0)),
    "names": lambda: M.predict(X),
    "perfect": lambda: m.step(M, X, jnp.int32(1)),
}
EXPECT = {
    "temperature": ("TracerBoolConversionError",),
    "names": ("TracerIntegerConversionError",),
    "perfect": ("TracerBoolConversionError",),
}
SILENT = {"seen": seen}
INNOCENT = [lambda: m.scores(M, jnp.eye(2)), lambda: M(X)]

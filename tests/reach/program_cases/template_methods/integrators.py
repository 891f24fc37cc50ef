import jax.numpy as jnp
import oscillators as o
import stepping

from tools.observation import is_tracer

Y = jnp.array([1.0, 0.0])


def evaluations():
    scheme = stepping.CountingEuler(o.spring)
    scheme.solve(Y, 6)
    return scheme.evaluations < 6


def slopes():
    scheme = stepping.RecordingMidpoint(o.spring)
    scheme.solve(Y, 6)
    return is_tracer(scheme.slopes)


HOSTILE = {
    "finite": lambda: o.run(stepping.Euler, guarded=True),
    "fallback": lambda: o.run(stepping.AdaptiveHeun),
    "digits": lambda: stepping.AdaptiveHeun(o.spring).quality(Y),
}
EXPECT = {
    "finite": ("TracerBoolConversionError",),
    "fallback": ("TracerBoolConversionError",),
    "digits": ("ConcretizationTypeError",),
}
SILENT = {"evaluations": evaluations, "slopes": slopes}
INNOCENT = [lambda: o.run(stepping.Euler), lambda: stepping.Leapfrog(o.pull).solve(Y, 3)]

import jax.numpy as jnp
import predict

from tools.observation import is_tracer

X, P = jnp.ones(2), jnp.ones((3, 2))
LINEAR, _ = predict.compiled(lambda p, x: p * x)
SCALAR, TRACKED = predict.compiled(lambda x: jnp.sum(x**2))
RELATIVE, _ = predict.compiled(lambda x: jnp.sum(x**2), True)


def largest():
    SCALAR["track"](X)
    return is_tracer(TRACKED.largest)


HOSTILE = {
    "disagree": lambda: LINEAR["confident"](P, X),
    "votes": lambda: LINEAR["agreed"](P, X),
    "relative": lambda: RELATIVE["gradient"](X),
    "curvature": lambda: SCALAR["curvature"](X),
}
EXPECT = {
    "disagree": ("TracerBoolConversionError",),
    "votes": ("TracerArrayConversionError",),
    "relative": ("TracerBoolConversionError",),
    "curvature": ("TracerBoolConversionError",),
}
SILENT = {"largest": largest}
INNOCENT = [lambda: LINEAR["mean"](P, X), lambda: SCALAR["gradient"](X)]

import jax.numpy as jnp
import leaky_monitor as m

from tools.observation import is_tracer

X = jnp.ones(2)


def values():
    m.step(X, X)
    return is_tracer(m.monitor.values)


def last():
    m.step(X, X)
    return is_tracer(m.monitor.last)


HOSTILE = {}
SILENT = {"values": values, "last": last}
INNOCENT = [lambda: m.train(X, [X, X])]

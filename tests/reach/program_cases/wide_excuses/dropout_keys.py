import jax.numpy as jnp
import dropout_keys as m

from tools.observation import is_tracer

X = jnp.ones(2)


def key():
    drop, dropout = m.compiled()
    drop(X)
    return is_tracer(dropout.key)


def weight():
    mixer = m.Mixer(X)
    m.distil(mixer)(2.0, X)
    return is_tracer(mixer.weight)


def stream():
    m.jitter(X)
    return is_tracer(m._key)


HOSTILE = {}
SILENT = {"key": key, "weight": weight, "stream": stream}
INNOCENT = [lambda: m.Dropout(0.5)(X)]

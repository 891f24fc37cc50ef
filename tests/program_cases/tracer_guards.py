import jax.numpy as jnp
import tracer_guards as p

from tools.observation import is_tracer


def reports():
    p.history.clear()
    lines, monitor = p.report([jnp.array([1.0, 2.0, 1.0]), jnp.array([1.0, 0.0, -1.0])])
    assert len(lines) == 2 and len(p.history) == 3 == p._checked
    assert not is_tracer((monitor.last, [entry[1] for entry in p.history]))


INNOCENT = [reports]
HOSTILE = {}

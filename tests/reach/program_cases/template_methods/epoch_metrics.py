import epoch_metrics as m
import jax.numpy as jnp

from tools.observation import is_tracer, printed

B = [(jnp.eye(3), jnp.array([0, 1, 0]))] * 2


def runs():
    assert m.epoch(m.Accuracy(), B) < 1.0
    m.epoch(m.Margin(), B)
    totals, history = m.table(B)
    assert len(history) == 6 and not is_tracer(history)


HOSTILE = {}
INNOCENT = [runs, lambda: printed(m.main)]

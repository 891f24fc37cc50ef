import jax
import jax.numpy as jnp
import speech_cells as m

from tools.observation import is_tracer


def state():
    cell = m.Cell(0.5)
    cell.advance(jnp.ones(()))
    return is_tracer(cell.h)


def loss():
    held = []
    recogniser = m.Recogniser(lambda _: held.append(is_tracer(recogniser.loss)))
    recogniser.fit(jnp.ones(2), [jnp.ones(2)])
    return held == [True]


def carry():
    m.recognise(jnp.ones((3, 2)))
    return is_tracer(m._last_energy)


HOSTILE = {}
SILENT = {"state": state, "loss": loss, "carry": carry}

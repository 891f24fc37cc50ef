import jax.numpy as jnp
import noise_schedules as m

from tools.observation import compilations, printed


def counts():
    schedule = m.Linear(8)
    m.spread(schedule, jnp.ones(2))
    assert schedule.calls == 3


def compiled_once():
    schedule = m.Cosine(8)
    run = lambda: printed(lambda: m.spread(schedule, jnp.ones(2)))
    run()
    assert compilations(run) == 0


HOSTILE = {}
INNOCENT = [counts, compiled_once]

import jax.numpy as jnp
import seismic_ray as sr
from tools.observation import compilations, is_tracer

GRID = jnp.ones((6, 6))


def once():
    survey = sr.Survey((0, 0)).shoot(GRID, [(5, 5), (0, 5)])
    survey.invert(GRID)
    assert not is_tracer(survey.picks)
    assert compilations(lambda: survey.invert(GRID, rounds=6)) <= 1


INNOCENT = [once, sr.main]

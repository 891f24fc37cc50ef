import jax
import xy_model
from tools.observation import compilations

KEY = jax.random.key(0)


def cooled():
    tally = xy_model.cool(KEY, 6, [0.2, 0.8])
    assert all(sum(counts.values()) == 4 for counts in tally.values())
    assert xy_model.sweeps_done == 8
    assert compilations(lambda: xy_model.cool(KEY, 6, [0.3])) == 0


INNOCENT = [cooled, lambda: xy_model.vortices(jax.random.normal(KEY, (4, 4)))]

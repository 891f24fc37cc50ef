import filter_bank_cache as p
import jax.numpy as jnp

from tools.observation import compilations

SIGNALS = [jnp.ones(8), jnp.zeros(8)]


def few():
    p.render(SIGNALS)
    assert p.render(SIGNALS)[1] == 1
    # The bank's chain and the limiter are made once for each call, not once for each signal.
    assert compilations(lambda: p.render(SIGNALS * 3)) <= 2
    assert compilations(lambda: [p.COMPILED["gain"](SIGNALS[0], 0.5) for _ in range(3)]) == 0


def normalises():
    p.normalise(SIGNALS[0])
    assert compilations(lambda: p.normalise(SIGNALS[0], steps=6)) <= 2


INNOCENT = [few, normalises, p.main]
HOSTILE = {}

import bandit_ledger_chex as p
import jax
import jax.numpy as jnp

from tools.observation import is_tracer


def plays():
    beliefs, history = p.tournament(jax.random.key(0))
    assert int(beliefs.pulls) == 15 and len(history) == 3
    assert not is_tracer(beliefs)


def input_stays():
    before = p.prior(3)
    p.play(before, jnp.ones(3) / 2, jax.random.key(1))
    assert int(before.pulls) == 0 and not is_tracer(before)


INNOCENT = [plays, input_stays]
HOSTILE = {}

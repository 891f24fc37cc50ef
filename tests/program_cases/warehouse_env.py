import jax
from warehouse_env import env, train, wrappers

from tools.observation import compilations, is_tracer

RULES = env.Rules()


def plays():
    ground = wrappers.Playground(RULES)
    for _ in range(3):
        ground.act()
    assert len(ground.trail) == 3 and not is_tracer(ground.world)
    assert compilations(ground.act) == 0


INNOCENT = [
    plays,
    lambda: train.search(RULES, jax.random.key(0)),
    lambda: RULES.reset(jax.random.key(2)).distances(),
]
HOSTILE = {}

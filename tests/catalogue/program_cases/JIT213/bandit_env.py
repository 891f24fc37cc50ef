import jax.numpy as jnp

import env

from tools.harm import same

BANDIT = env.Bandit([0.1, 0.5, 0.2])

HOSTILE = {}
SILENT = {
    "pull": lambda: same(BANDIT.pull(1), BANDIT.pull(1)),
    "explore": lambda: len({int(BANDIT.explore(jnp.zeros(3))) for _ in range(12)}) == 1,
}
INNOCENT = [env.play]

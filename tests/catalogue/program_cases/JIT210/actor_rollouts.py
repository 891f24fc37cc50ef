import rollouts

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "rng": lambda: len({int(action) for action in rollouts.actions()}) == 1,
    "scales": lambda: differs_from_eager(rollouts.scaled),
}

import train

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "warm": lambda: differs_from_eager(lambda: train.fit(train.update)),
    "step": lambda: differs_from_eager(lambda: train.fit(train.annealed)),
}

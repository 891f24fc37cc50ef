import train

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "step": lambda: compiled(train.fit, "decayed") == 5,
    "epsilon": lambda: compiled(train.episode, "explore") == 5,
}

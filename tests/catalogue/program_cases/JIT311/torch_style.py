import modes

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "training": lambda: differs_from_eager(modes.evaluate),
    "frozen": lambda: differs_from_eager(modes.finetune),
}

import loop

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "bound": lambda: compiled(loop.main, "_logits") == 3,
    "partial": lambda: compiled(loop.main, "top_k") == 3,
}

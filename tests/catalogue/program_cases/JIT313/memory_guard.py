import guard

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "epoch": lambda: compiled(guard.fit, "train_step") == 3,
    "request": lambda: compiled(guard.requests, "predict") == 3,
}

import agent
import main

from tools.harm import unawaited

HOSTILE = {}
SILENT = {
    "update": lambda: unawaited(main.learn, main, agent),
    "fps": lambda: unawaited(main.fps, main, agent),
}

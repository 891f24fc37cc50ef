import run

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "dt": lambda: differs_from_eager(run.compare_steps),
    "damping": lambda: differs_from_eager(run.with_drag),
}
INNOCENT = [run.orbit]

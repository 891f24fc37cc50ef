
from tools.harm import differs_from_eager, notebook


def run(*names):
    made = notebook("echo.ipynb")
    return [getattr(made, name) for name in names]


HOSTILE = {}
SILENT = {
    "gain": lambda: differs_from_eager(lambda: run("quiet", "loud")),
    "taps": lambda: differs_from_eager(lambda: run("before", "after")),
}

from tools.harm import compiled, notebook


def run():
    return notebook("moving.ipynb")


HOSTILE = {}
SILENT = {
    "prefix": lambda: compiled(run, "summary") >= 10,
    "days": lambda: compiled(run, "moving") == 8,
}

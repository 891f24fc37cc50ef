from tools.harm import differs_from_eager, notebook


def run():
    made = notebook("colours.ipynb")
    return made.first, made.second


def same():
    assert not differs_from_eager(run)


HOSTILE = {}
INNOCENT = [same]

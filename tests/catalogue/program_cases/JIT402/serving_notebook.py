from tools.harm import notebook, spans

made = notebook("serving.ipynb")


def slow():
    first, _, second = spans(lambda: notebook("serving.ipynb", made), made)
    return first > 0 == second


HOSTILE = {}
SILENT = {"slow": slow}

import importlib

from tools.observation import is_tracer, printed

HOSTILE = {}


def run_all():
    text = printed(lambda: importlib.import_module("kmeans_notebook"))
    notebook = importlib.import_module("kmeans_notebook")
    assert text.count("cluster") == 3 and sum(notebook.counts.values()) == 60
    assert not is_tracer(notebook.history)


INNOCENT = [run_all]

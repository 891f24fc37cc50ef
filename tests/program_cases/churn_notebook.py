import importlib

import jax.numpy as jnp

from tools.observation import compilations, is_tracer, printed

printed(lambda: importlib.import_module("churn_notebook"))
notebook = importlib.import_module("churn_notebook")
# The second run of the script finds all operations outside of jit compiled.
total = compilations(lambda: printed(lambda: importlib.reload(notebook)))


def epochs():
    # Every epoch traced anew: six tracings left six values.
    return len(notebook.history) == 6 and is_tracer(notebook.history)


def winsor():
    return notebook.winsorised(jnp.ones((3, 6)), 1.0)


HOSTILE = {"winsor": winsor}
EXPECT = {"winsor": ("TypeError",)}
SILENT = {
    "history": lambda: is_tracer(notebook.history[0]),
    "epochs": epochs,
    "thresholds": lambda: 10 <= total <= 14,
    "jitter": lambda: len(set(notebook.spread)) == 1,
}


def odds_once():
    assert compilations(lambda: notebook.odds(notebook.w)) == 0


INNOCENT = [odds_once, lambda: notebook.standardised(notebook.X)]

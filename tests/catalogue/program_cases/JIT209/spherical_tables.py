import tables

from tools.harm import raises
from tools.observation import is_tracer


def forget():
    tables.integrate_square.clear_cache()
    tables.midpoint.clear_cache()
    tables.nodes.cache_clear()
    tables.weights.cache_clear()


def kept(table):
    forget()
    tables.integrate_square(1.0)
    failed = raises(lambda: tables.integrate_exp(1.0), "UnexpectedTracerError")
    return failed and is_tracer(table(4))


def single():
    forget()
    tables.midpoint(1.0)
    return is_tracer(tables.weights(1)) and raises(
        lambda: tables.midpoint(1), "UnexpectedTracerError"
    )


HOSTILE = {}
SILENT = {"nodes": lambda: kept(tables.nodes), "many": lambda: kept(tables.weights), "single": single}

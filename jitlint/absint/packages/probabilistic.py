"""Primitives of NumPyro: what a model draws is traced where an inference algorithm runs it.

Observed under JAX 0.10.2 with numpyro 0.22.
"""

from __future__ import annotations

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, find_traced
from jitlint.absint.values.domain import NONE, UNKNOWN, Value


@model("numpyro.sample")
def _sample(it: Interpreter, call: Call) -> Value:
    """What is drawn; what was observed comes back as it is, and of that nothing is known here."""
    observed = call.args.get(2, "obs")
    if (observed is not None and observed != NONE) or call.starred or it.trace is None:
        return UNKNOWN
    return array_result(it, (), node=call.node)


@model("numpyro.param")
def _param(it: Interpreter, call: Call) -> Value:
    return UNKNOWN if it.trace is None else array_result(it, (), node=call.node)


@model("numpyro.subsample")
def _subsample(it: Interpreter, call: Call) -> Value:
    """The rows that a plate has drawn; the data as they are where it draws none."""
    data = call.args.get(0, "data")
    traced = data is not None and find_traced(it, data) is not None
    return array_result(it, (), node=call.node) if traced else UNKNOWN


@model("numpyro.deterministic")
def _deterministic(it: Interpreter, call: Call) -> Value:
    value = call.args.get(1, "value")
    return UNKNOWN if value is None else value

"""How code asks JAX whether a trace is being made, to check values only where there are some."""

from __future__ import annotations

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import BOOL, FALSE, Value


@model(
    *(
        f"{core}.{question}"
        for core in ("jax.core", "jax._src.core")
        for question in ("trace_ctx.is_top_level", "trace_state_clean")
    )
)
def _outside_of_traces(it: Interpreter, call: Call) -> Value:
    """Whether nothing is traced, which holds of no code that a transform runs.

    Outside of that it is left open: whoever calls may do so from a trace.  A function with rules of
    its own for derivatives runs as it is as long as nothing is differentiated.
    """
    if it.frame.context.staging:
        return FALSE
    rows = () if it.frame.context.disabled else (it.row(trace.transform) for trace in it.traces())
    return FALSE if any(row is not None and row.traces != "none" for row in rows) else BOOL

"""SciPy's solvers and integrators under a trace: they look at what the function they call gives."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.events import NumpyCall
from jitlint.absint.library.registry import Call
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.values.domain import (
    FLOAT,
    NDARRAY,
    STATIC,
    UNKNOWN,
    Level,
    Tuple,
    Value,
    base_function,
)
from jitlint.jaxmodel.host_solvers import CALLED_WITH, ERRORS

_NAMES = ("func", "fun", "f")


def refused_result(it: Interpreter, name: str, call: Call) -> Value | None:
    """Report that the function of a solver gives a tracer; None where it is not known to.

    Args:
      it: the interpreter.
      name: the qualified name of the solver.
      call: its call.
    """
    how = CALLED_WITH.get(name)
    named = (call.args.get(0, keyword) for keyword in _NAMES)
    function = next((value for value in named if value is not None), UNKNOWN)
    if how is None or it.trace is None or base_function(function) is None:
        return None
    operands: list[Value] = [NDARRAY if one == "x" else FLOAT for one in how if one != "*"]
    further = call.keywords.get("args")
    if isinstance(further, Tuple):
        operands += further.items
    elif further is not None:
        return None
    given = Arguments(operands, star=STATIC if "*" in how else None)
    traced = find_traced(it, it.call(function, given, call.node), least=Level.VALUE)
    if traced is None:
        return None
    written = call.args.node(0, "fun")
    text = name if written is None else it.text(written)
    return it.emit(
        NumpyCall,
        call.node,
        traced,
        operand=f"({text})(...)" if " " in text else f"{text}(...)",
        exceptions=ERRORS,
        callee=it.text(call.node.func) if isinstance(call.node, cst.Call) else name,
    )

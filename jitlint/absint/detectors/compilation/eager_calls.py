"""Calls of compiled functions by host code, for the sake of which JAX compiles."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.detectors.surroundings.clocks import measures
from jitlint.absint.detectors.surroundings.paths import call_of, names_in
from jitlint.absint.detectors.surroundings.written import bindings
from jitlint.absint.machine.interpreter import Interpreter


def is_within_trace(it: Interpreter) -> bool:
    """Whether a trace is around the call that begins, so that nothing is compiled for its sake."""
    # The trace that the call itself begins is there already.
    return it.trace is not None and it.trace.outer is not None


def is_sweep(it: Interpreter, loop: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a loop measures what each value costs, with nothing else that changes.

    Args:
      it: the interpreter.
      loop: the loop.
      node: the argument that is another one in each turn.
    """
    if not measures(it, loop):
        return False
    call = call_of(loop, node)
    if call is None:
        return True
    mentioned = {name for arg in call.args for name in names_in(arg.value) if arg.value is not node}
    changing = {
        name
        for target, value in bindings(loop)
        if value is not None and it.frame.parsed.holds(value, call)
        for name in names_in(target)
    }
    return mentioned.isdisjoint(changing)

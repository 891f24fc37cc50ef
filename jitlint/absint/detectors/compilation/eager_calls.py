"""Calls of compiled functions by host code, for the sake of which JAX compiles."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.loop_counters import reads_clock
from jitlint.absint.detectors.surroundings.paths import call_of, holds, names_in
from jitlint.absint.detectors.surroundings.written import bindings
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import MANAGED
from jitlint.absint.values.domain import Class, Partial, Ref, base_function
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel.host_code import CLOCK_WORDS


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
    if not it.written(reads_clock, loop) and not _measures_blocks(it, loop):
        return False
    call = call_of(loop, node)
    if call is None:
        return True
    mentioned = {name for arg in call.args for name in names_in(arg.value) if arg.value is not node}
    changing = {
        name
        for target, value in bindings(loop)
        if value is not None and holds(value, call)
        for name in names_in(target)
    }
    return mentioned.isdisjoint(changing)


def _measures_blocks(it: Interpreter, loop: cst.CSTNode) -> bool:
    """Whether a loop has a block that a context manager of the project measures."""
    return any(
        isinstance(block, cst.With) and any(_reads_clock(it, item.item) for item in block.items)
        for block in walk_own(loop)
    )


def _reads_clock(it: Interpreter, manager: cst.BaseExpression) -> bool:
    made = it.ev(manager.func if isinstance(manager, cst.Call) else manager)
    if isinstance(made, Partial) and made.function == MANAGED:
        made = made.args[0]
    function = base_function(made)
    if function is not None:
        return not CLOCK_WORDS.isdisjoint(function.code.unit.words_called)
    contents = it.contents(made) if isinstance(made, Ref) else None
    cls = made if isinstance(made, Class) else contents.cls if type(contents) is Instance else None
    return cls is not None and any(
        not CLOCK_WORDS.isdisjoint(unit.words_called)
        for owner in class_info(it, cls).mro
        for method in ("__enter__", "__exit__")
        for unit in owner.definition.methods.get(method, ())
    )

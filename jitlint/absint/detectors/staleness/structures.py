"""Structures of pytrees, which are bound again with each step that changes the numbers."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import External
from jitlint.jaxmodel.leaves import LEAVES_NO_ARRAYS, PUT_TOGETHER_BY, STRUCTURE_OF


def is_structure(it: Interpreter, target: cst.CSTNode) -> bool:
    """Whether what is bound is the structure of a pytree: ``params, static = eqx.partition(...)``.

    It is the one that was there before, unless the pytree is another one; then what is compiled
    meets other arguments, and is compiled again.
    """
    bound = _bound_from(it.frame, target)
    if bound is None:
        return False
    call, part = bound
    taken_apart = it.ev(call.func)
    if not isinstance(taken_apart, External):
        return False
    if taken_apart.name not in STRUCTURE_OF or STRUCTURE_OF[taken_apart.name] != part:
        return False
    return taken_apart.name != "equinox.partition" or _leaves_no_arrays(it, call)


def takes_structure(it: Interpreter, call: cst.Call, position: int) -> bool:
    """Whether an argument of a call is the structure by which it puts a pytree together."""
    called = it.ev(call.func)
    return isinstance(called, External) and PUT_TOGETHER_BY.get(called.name) == position


def _bound_from(frame: Frame, target: cst.CSTNode) -> tuple[cst.Call, int | None] | None:
    """The call from which something is bound, and which part of what it gives that is."""
    nodes = frame.code.own_nodes if frame.code is not None else walk_own(frame.parsed.statement)
    for node in nodes:
        if not isinstance(node, cst.Assign) or not isinstance(node.value, cst.Call):
            continue
        for assigned in node.targets:
            if assigned.target is target:
                return node.value, None
            if isinstance(assigned.target, (cst.Tuple, cst.List)):
                for part, element in enumerate(assigned.target.elements):
                    if element.value is target:
                        return node.value, part
    return None


def _leaves_no_arrays(it: Interpreter, call: cst.Call) -> bool:
    for position, argument in enumerate(call.args):
        name = None if argument.keyword is None else argument.keyword.value
        if name == "filter_spec" or (name is None and position == 1):
            filter_ = it.ev(argument.value)
            return isinstance(filter_, External) and filter_.name in LEAVES_NO_ARRAYS
    return False

"""How the entry points of each kind are called: the table that the other modules of the room fill.

A row of :mod:`jitlint.jaxmodel.transforms` says what an entry point traces, and names its kind: the
convention by which it takes its functions and operands.  A kind is one function under :func:`kind`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ControlFlowCalled
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.machine.verbs import verb
from jitlint.absint.values.domain import (
    UNKNOWN,
    ExternalInstance,
    Ref,
    Tuple,
    Value,
)
from jitlint.foundation.records import Record
from jitlint.jaxmodel.companions import TERMS
from jitlint.jaxmodel.mapping import SELECTING, is_mapping
from jitlint.jaxmodel.transforms import EAGERLY_COMPILED, Transform

Rule = Callable[[Interpreter, Transform, Arguments, cst.CSTNode], Value]

_Rule = TypeVar("_Rule", bound=Rule)


class Kind(Record):
    """A convention by which functions are traced.

    Args:
      rule: what a call of the entry point gives.
      loops: whether one trace of a function stands for many iterations.
      eager: whether ``jax.disable_jit`` makes it run as Python does, on arrays with values.
    """

    rule: Rule
    loops: bool
    eager: bool


_KINDS: Final[dict[str, Kind]] = {}


def kind(*names: str, loops: bool = False, eager: bool = False) -> Callable[[_Rule], _Rule]:
    """Register how the entry points of some kinds are called; the rest is as in :class:`Kind`."""

    def register(rule: _Rule) -> _Rule:
        for name in names:
            _KINDS[name] = Kind(rule, loops, eager)
        return rule

    return register


def iterates(row: Transform) -> bool:
    """Whether one trace of a function stands for many iterations."""
    found = _KINDS.get(row.kind)
    return found is not None and found.loops


def _tell_functions(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> None:
    """Tell which functions control flow is given by host code."""
    if row.name in SELECTING and _may_be_mapped(it, args.get(*SELECTING[row.name])):
        return
    found: list[tuple[Value, cst.CSTNode | None]] = []
    for index, name in EAGERLY_COMPILED[row.name]:
        value, place = args.get(index, name), args.node(index, name)
        if value is None:
            continue
        value, place = _of_term(value, place)
        items = it.iterate(value, node)[1] if isinstance(value, (Tuple, Ref)) else None
        if items is None:
            found.append((value, place))
            continue
        if row.kind == "switch" and len(items) == 1:
            # The only branch is called as it is.
            continue
        written = place.elements if isinstance(place, (cst.List, cst.Tuple)) else ()
        places = [element.value for element in written]
        found += zip(
            items, places if len(places) == len(items) else [None] * len(items), strict=True
        )
    if found:
        it.signal(ControlFlowCalled(row.name, tuple(found), node))


def _may_be_mapped(it: Interpreter, choice: Value | None) -> bool:
    """Whether ``vmap`` may map what chooses between branches: it selects then, in host code too."""
    mapped = any(is_mapping(trace.transform) for trace in it.traces())
    if not mapped or choice is None:
        return False
    return choice == UNKNOWN or find_traced(it, choice) is not None


def _of_term(value: Value, place: cst.CSTNode | None) -> tuple[Value, cst.CSTNode | None]:
    """The function that a term of an equation holds, with the code that gives it there."""
    field = TERMS.get(value.cls) if isinstance(value, ExternalInstance) else None
    if field is None or not isinstance(value, ExternalInstance):
        return value, place
    written = place.args[0].value if isinstance(place, cst.Call) and place.args else None
    return dict(value.attributes)[field], written


@verb("transform")
def apply_transform(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``jax.jit(f)``, ``jax.lax.scan(body, init, xs)`` ...: a call of an entry point itself."""
    found = _KINDS.get(row.kind)
    if found is None or (found.eager and it.frame.context.disabled):
        return UNKNOWN
    if not it.frame.context.staging and row.name in EAGERLY_COMPILED:
        _tell_functions(it, row, args, node)
    result = found.rule(it, row, args, node)
    if row.runs:
        it.run_source(row.name, [("", args)], node)
    return result

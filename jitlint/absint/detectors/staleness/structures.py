"""Structures of pytrees, which are bound again with each step that changes the numbers."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.written import asked_once, nodes_around
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    External,
    ExternalInstance,
    Ref,
    Tree,
    Unknown,
    Value,
    members_of,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel.frameworks import STATIC_FIELDS
from jitlint.jaxmodel.leaves import LEAVES_NO_ARRAYS, PUT_TOGETHER_BY, STRUCTURE_OF

#: what of an array another one in its place has as well
_HELD_ALIKE: Final = frozenset({"shape", "ndim", "dtype"})


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


def asks_for_none(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether of something that is read only that is asked whether it is None."""
    around = next(frame.parsed.above(node), None)
    if not isinstance(around, cst.Comparison) or len(around.comparisons) != 1:
        return False
    compared = around.comparisons[0]
    other = compared.comparator if around.left is node else around.left
    is_none = isinstance(other, cst.Name) and other.value == "None"
    return is_none and isinstance(compared.operator, (cst.Is, cst.IsNot))


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


def asks_for_structure(it: Interpreter, kind: str, node: cst.CSTNode, value: Value) -> bool:
    """Whether of something held only that is asked which another one in its place has as well.

    Its shape or type, ``self.state.map.shape``; a static field, ``self.state.apply_fn``.  What is
    called of something of which nothing is known may be such a field, and what a pytree is put
    together by is one, ``nnx.merge(self.state.graphdef, params)``.
    """
    asked, called, given = _asked_of(it.frame, node)
    members = members_of(value)
    if asked and kind != "attribute":
        # Whichever state has the name by now, it has the same `state.apply_fn`.
        kinds = (Unknown, Ref, ExternalInstance)
        return asked[0] in STATIC_FIELDS and all(isinstance(each, kinds) for each in members)
    if not asked or not _HELD_ALIKE.isdisjoint(asked):
        return bool(asked)
    if any(isinstance(member, (Unknown, Tree, ExternalInstance)) for member in members):
        is_field = called or (given is not None and takes_structure(it, *given))
        return is_field and len(asked) == 1
    classes = [
        contents.cls
        for member in members
        if isinstance(member, Ref) and isinstance(contents := it.contents(member), Instance)
    ]
    return bool(classes) and all(asked[0] in class_info(it, cls).static for cls in classes)


@asked_once
def _asked_of(
    frame: Frame, node: cst.CSTNode
) -> tuple[tuple[str, ...], bool, tuple[cst.Call, int] | None]:
    """The attributes that are asked of a node one after the other, and what the last is used for.

    Whether it is called; or the call that it is an argument of, with its position there.
    """
    names: list[str] = []
    held = node
    while True:
        for inner in nodes_around(frame):
            if isinstance(inner, cst.Attribute) and inner.value is held:
                names.append(inner.attr.value)
                held = inner
                break
            if isinstance(inner, cst.Call) and inner.func is held:
                return tuple(names), bool(names), None
            if isinstance(inner, cst.Call):
                for position, argument in enumerate(inner.args):
                    if argument.value is held:
                        return tuple(names), False, (inner, position)
        else:
            return tuple(names), False, None

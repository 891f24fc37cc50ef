"""Globals by which a function hands something to those that it defines, in one and the same trace.

``global bound; bound = limit``, and a loss that is defined below reads ``bound``: each trace sets
it before it is read, and nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from jitlint.absint.code.syntax import children, walk
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import Const, Default, Static, Value, members_of


def is_channel(it: Interpreter, name: str, value: Value) -> bool:
    """Whether a global that the running function sets is read by functions within it alone.

    A tracer stays behind there, whoever reads it.

    Args:
      it: the interpreter, where the global is set.
      name: the global.
      value: what it is set to.
    """
    if isinstance(value, Default):
        value = value.value
    if not all(isinstance(member, (Const, Static)) for member in members_of(value)):
        return False
    unit, module = it.frame.parsed.unit, it.frame.module
    if any(other is not unit and other.is_function for other in module.units_with(name)):
        return False
    if any(
        other is not module and not (other.binds(name) or other.rebinds(name))
        for other in it.modules_with(name)
    ):
        return False
    return name in it.frame.parsed.fact(_handed_within, it.frame.parsed.statement)


def _handed_within(around: cst.CSTNode) -> frozenset[str]:
    """The names that a function sets to something new before functions within it read them."""
    begun: set[str] = set()
    others: set[str] = set()
    read: set[str] = set()
    for node in _in_order(around):
        if isinstance(node, cst.Assign):
            targets = {
                inner.value
                for assigned in node.targets
                for inner in walk(assigned.target)
                if isinstance(inner, cst.Name)
            }
            used = {inner.value for inner in walk(node.value) if isinstance(inner, cst.Name)}
            others |= (targets & used) - begun
            begun |= targets
        elif isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Name):
            others.add(node.target.value)
        elif isinstance(node, (cst.FunctionDef, cst.Lambda)) and node is not around:
            read |= {
                inner.value for inner in walk(node.body) if isinstance(inner, cst.Name)
            } & begun
    return frozenset((begun & read) - others)


def _in_order(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A tree with all that is nested in it, as it is written."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed([*children(current)]))

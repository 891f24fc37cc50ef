"""How often a loop runs, where that is known before it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import LoopLeft
from jitlint.absint.values.domain import Array, Range, Static, Value

#: give as many elements as what they are given first, or all together
_AS_LONG: Final = frozenset({"enumerate", "reversed", "list", "tuple", "sorted", "tqdm"})


def full_turns(it: Interpreter, loop: LoopLeft) -> int:
    """How often a loop that nothing ends early has run its body, 0 if that is not known.

    Args:
      it: the interpreter, in the state behind the loop.
      loop: the loop.
    """
    node = loop.node
    if node.ifs if isinstance(node, cst.CompFor) else it.frame.parsed.fact(_ends_early, node):
        return 0
    return turns_of(it, node.iter, loop.iterable, loop.items)


def _ends_early(node: cst.CSTNode) -> bool:
    """Whether a loop may be left before its last turn, as far as its text tells."""
    return any(isinstance(inner, (cst.Break, cst.Return)) for inner in walk_own(node))


def turns_of(
    it: Interpreter, node: cst.BaseExpression, iterable: Value, items: Sequence[Value] | None
) -> int:
    """How many elements there are to iterate over, 0 if that is not known.

    Args:
      it: the interpreter, in the state behind the loop.
      node: what is iterated over, as written.
      iterable: its value.
      items: its elements, if all are known.
    """
    if items is not None:
        return len(items)
    if isinstance(iterable, Range):
        return iterable.length
    if isinstance(iterable, (Array, Static)) and iterable.extent is not None:
        return iterable.extent.shape[0] if iterable.extent.shape else 0
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Name) or not node.args:
        return 0
    given = node.args if node.func.value == "zip" else node.args[:1]
    if node.func.value not in _AS_LONG | {"zip"}:
        return 0
    return min(_turns_of_argument(it, arg.value) for arg in given)


def _turns_of_argument(it: Interpreter, node: cst.BaseExpression) -> int:
    """The same for an argument of ``enumerate`` or ``zip`` that can be looked at once more."""
    plain = isinstance(node, (cst.Name, cst.Attribute)) or (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value in _AS_LONG | {"range", "zip"}
    )
    if not plain:
        return 0
    with it.speculating():
        value = it.ev(node)
        return turns_of(it, node, value, None)

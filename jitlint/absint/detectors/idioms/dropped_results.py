"""Results that nobody takes: a functional update that is thrown away."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.events import (
    DiscardedUpdate,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ResultDropped,
    observes,
)
from jitlint.absint.values.domain import (
    Array,
    Tree,
    Unknown,
)

#: methods of ``x.at[...]`` that return an updated copy; references have others, which write
_UPDATES: Final = frozenset("add apply divide max min mul multiply power set subtract".split())


@observes(ResultDropped)
def _result_dropped(it: Interpreter, dropped: ResultDropped) -> None:
    """An updated copy of an array is lost."""
    node = dropped.node
    if it.trace is None or type(node) is not cst.Call:
        return
    method = node.func
    if not (isinstance(method, cst.Attribute) and isinstance(method.value, cst.Subscript)):
        return
    place = method.value.value
    if not (isinstance(place, cst.Attribute) and place.attr.value == "at"):
        return
    array = it.ev(place.value)
    # Only JAX has `.at[...].set(...)`: what is not known is an array as well.
    if method.attr.value not in _UPDATES or not isinstance(array, (Array, Tree, Unknown)):
        return
    it.note(DiscardedUpdate, node, operand=place.value, method=method.attr.value)

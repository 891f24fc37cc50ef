"""Results that nobody takes: a functional update that is thrown away."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.machine.events import (
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
    if method.attr.value == "get" or not isinstance(array, (Array, Tree, Unknown)):
        return
    it.note(DiscardedUpdate, node, operand=place.value, method=method.attr.value)

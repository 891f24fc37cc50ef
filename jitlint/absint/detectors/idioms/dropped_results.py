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
    if type(node) is not cst.Call:
        return
    method = node.func
    if not (isinstance(method, cst.Attribute) and isinstance(method.value, cst.Subscript)):
        return
    place = method.value.value
    if not (isinstance(place, cst.Attribute) and place.attr.value == "at"):
        return
    if any(guard.deliberate for guard in it.frame.tries):
        # It is to raise, as `with pytest.raises(...)` says: there is no result.
        return
    array = it.ev(place.value)
    # Only JAX has `.at[...].set(...)`: what is not known in a trace is an array as well.
    kinds = Array if it.trace is None else (Array, Tree, Unknown)
    if method.attr.value not in _UPDATES or not isinstance(array, kinds):
        return
    it.note(DiscardedUpdate, node, operand=place.value, method=method.attr.value)

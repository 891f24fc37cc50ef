"""JIT212: ``x.at[i].set(v)`` becomes ``x = x.at[i].set(v)``."""

from __future__ import annotations

from itertools import takewhile

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import DiscardedUpdate, Event
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft


def fix(event: Event) -> Fix | None:
    """Bind the updated copy to the name of the array: that changes what the program gives."""
    assert isinstance(event, DiscardedUpdate)
    draft = Draft(event)
    call, function = draft.node, draft.function
    if not isinstance(call, cst.Call) or not isinstance(draft.parent(call), cst.Expr):
        return None
    method = call.func
    assert isinstance(method, cst.Attribute)
    assert isinstance(method.value, cst.Subscript)
    assert isinstance(method.value.value, cst.Attribute)
    name = dotted(method.value.value.value)
    if name is None or function is None or call.lpar:
        return None
    root, _, field = name.partition(".")
    if root not in function.bound_names or (field and root != "self"):
        # Named tuples and frozen dataclasses take no new values.
        return None
    if not field and not _may_be_read(draft, function.node, call, name):
        # A helper that returns nothing: the caller's array stays what it was.
        return None
    draft.before(call, f"{name} = ")
    return draft.fix(f"Assign the updated copy to `{name}`", Applicability.UNSAFE)


def _may_be_read(draft: Draft, function: cst.CSTNode | None, call: cst.Call, name: str) -> bool:
    """Whether a local name of a function occurs where control may go from a call."""
    assert function is not None
    start, end = draft.start(call), draft.end(call)
    around = takewhile(lambda outer: outer is not function, draft.around(call))
    loops = [draft.start(outer) for outer in around if isinstance(outer, (cst.For, cst.While))]
    first = min(loops, default=end)
    places = (
        draft.start(node)
        for node in walk(function)
        if isinstance(node, cst.Name) and node.value == name
    )
    return any(place >= end or first <= place < start for place in places)

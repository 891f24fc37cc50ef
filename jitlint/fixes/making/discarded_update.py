"""JIT212: ``x.at[i].set(v)`` becomes ``x = x.at[i].set(v)``."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.syntax import dotted
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
    draft.before(call, f"{name} = ")
    return draft.fix(f"Assign the updated copy to `{name}`", Applicability.UNSAFE)

"""JIT211: a mutable default is made anew in each call, as nobody means to keep it."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.events import DefaultMutation, Event
from jitlint.diagnostics import Applicability, Fix, Location
from jitlint.fixes.making.draft import Draft


def fix(event: Event) -> Fix | None:
    """``None`` for the default, and a new object where nothing is passed."""
    assert isinstance(event, DefaultMutation)
    draft = Draft(event)
    name = event.operand
    function = next(
        (it for it in draft.around(draft.node) if isinstance(it, cst.FunctionDef)), None
    )
    if function is None or not isinstance(function.body, cst.IndentedBlock):
        return None
    params = function.params
    every = (*params.posonly_params, *params.params, *params.kwonly_params)
    param = next((it for it in every if it.name.value == name), None)
    if param is None or param.default is None or param.annotation is not None:
        return None
    made = draft.text(param.default)
    first = function.body.body[0]
    if _is_text(first):
        return None
    place = draft.start(first)
    row = Location(place.row, 1)
    indent = draft.between(row, place)
    if indent.strip():
        return None
    draft.replace(param.default, "None")
    step = indent[draft.start(function).column - 1 :]
    draft.insert(row, f"{indent}if {name} is None:\n{indent}{step}{name} = {made}\n")
    return draft.fix(f"Make a new `{made}` in each call", Applicability.UNSAFE)


def _is_text(statement: cst.BaseStatement | cst.BaseSmallStatement) -> bool:
    """Whether a function begins with what it says of itself."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    return isinstance(first, cst.Expr) and isinstance(
        first.value, (cst.SimpleString, cst.ConcatenatedString)
    )

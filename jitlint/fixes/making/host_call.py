"""JIT206: what logs a traced value logs it when the program runs."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import Event, HostIO
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import member_of, name_of

_STAYS = (cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement, cst.Lambda, cst.BaseString)


def fix(event: Event) -> Fix | None:
    """Hand the values to ``jax.debug.callback``, where a constant text says what they are."""
    assert isinstance(event, HostIO)
    draft = Draft(event)
    call = draft.node
    if not event.traced or event.kind not in ("logging", "warning"):
        return None
    if not isinstance(call, cst.Call) or not isinstance(draft.parent(call), cst.Expr) or call.lpar:
        return None
    if dotted(call.func) is None or any(arg.star or arg.keyword is not None for arg in call.args):
        return None
    jax = name_of(draft, "jax")
    if jax is None or not call.args:
        return None
    text, *values = (arg.value for arg in call.args)
    if isinstance(text, cst.SimpleString) and values:
        if any(isinstance(node, _STAYS) for value in values for node in walk(value)):
            return None
        partial = member_of(draft, "functools", "partial")
        if partial is None:
            return None
        draft.replace_between(
            draft.start(call),
            draft.start(values[0]),
            f"{jax}.debug.callback({partial}({draft.text(call.func)}, {draft.text(text)}), ",
        )
    elif isinstance(text, cst.FormattedString) and not values:
        names = _shown(text)
        if not names:
            return None
        given = ", ".join(names)
        draft.before(call, f"{jax}.debug.callback(lambda {given}: ")
        draft.behind(call, f", {given})")
    else:
        return None
    return draft.fix(f"Log with `{jax}.debug.callback`", Applicability.UNSAFE)


def _shown(text: cst.FormattedString) -> list[str]:
    """The names that a text shows; none where it shows anything else."""
    found: dict[str, None] = {}
    for part in text.parts:
        if isinstance(part, cst.FormattedStringExpression):
            if not isinstance(part.expression, cst.Name):
                return []
            found[part.expression.value] = None
    return list(found)

"""JIT205: ``x[i] = v`` becomes ``x = x.at[i].set(v)``."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import ArrayStore, Event
from jitlint.absint.machine.always import BASIC_INDEX, MASK, NUMERIC_VALUE, SCALAR_VALUE
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.aliases import may_be_seen_elsewhere
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of
from jitlint.jaxmodel.wording import is_trace_note

_METHODS: Final = {
    cst.AddAssign: "add",
    cst.SubtractAssign: "subtract",
    cst.MultiplyAssign: "multiply",
    cst.DivideAssign: "divide",
    cst.PowerAssign: "power",
}
#: operators without an update of their own: what is there is taken and stored again
_OPERATORS: Final = {
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
}
_ARITHMETIC: Final = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
}
#: what cannot be moved into a call, or would be evaluated in another order
_KEEPS_ITS_PLACE: Final = (cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement)


def fix(event: Event) -> Fix | None:
    """Bind an updated copy of the array to its name."""
    assert isinstance(event, ArrayStore)
    draft = Draft(event)
    target = draft.node
    statement = draft.statement_of(target)
    if not isinstance(target, cst.Subscript) or statement is None:
        return None
    name, function = dotted(target.value), draft.function
    if name is None or function is None or target.lpar or not _is_plain(statement, target):
        return None
    local = name in function.bound_names
    if "." not in name and not local:
        # The assignment would make a variable of its own of what lies outside.
        return None
    value = statement.value  # type: ignore[attr-defined]
    if any(isinstance(node, _KEEPS_ITS_PLACE) for node in walk(statement)):
        return None
    if MASK in event.always:
        return _masked(draft, statement, target, value)
    method = _rewrite(draft, statement, target, value)
    if method is None:
        return None
    always = event.always
    stored = NUMERIC_VALUE in always and (
        BASIC_INDEX in always or (SCALAR_VALUE in always and isinstance(statement, cst.Assign))
    )
    calls = sum(isinstance(node, cst.Call) for node in walk(target)) > 0
    own = _is_own(draft, function, name)
    safe = (
        local and stored and not calls and own and not may_be_seen_elsewhere(draft, function, name)
    )
    return draft.fix(
        f"Assign the updated copy: `{name} = {name}.at[...].{method}(...)`",
        Applicability.SAFE if safe else Applicability.UNSAFE,
    )


def _is_own(draft: Draft, function: Code, name: str) -> bool:
    """Whether no caller's array is changed: what a transform is given is out of its reach."""
    chain, _ = draft.event.chain
    given = any(parameter.name == name for parameter in function.parameters)
    return not given or (chain is not None and is_trace_note(chain.step.note))


def _is_plain(statement: cst.BaseSmallStatement, target: cst.Subscript) -> bool:
    """Whether nothing but this element is assigned."""
    if isinstance(statement, cst.Assign):
        return len(statement.targets) == 1 and statement.targets[0].target is target
    return isinstance(statement, cst.AugAssign) and statement.target is target


def _masked(
    draft: Draft, statement: cst.CSTNode, target: cst.Subscript, value: cst.BaseExpression
) -> Fix | None:
    """``x[mask] = v`` becomes ``x = jnp.where(mask, v, x)``, if ``v`` is one number for all."""
    number = isinstance(value, (cst.Integer, cst.Float)) or (
        isinstance(statement, cst.Assign) and SCALAR_VALUE in draft.event.always
    )
    jnp = name_of(draft, "jax.numpy") if number else None
    if jnp is None:
        return None
    name, chosen = draft.text(target.value), draft.text(value)
    if isinstance(statement, cst.AugAssign):
        operator = _ARITHMETIC.get(type(statement.operator))
        if operator is None:
            return None
        chosen = f"{name} {operator} {chosen}"
    mask = draft.text(target.slice[0])
    draft.replace_between(
        draft.start(target), draft.end(value), f"{name} = {jnp}.where({mask}, {chosen}, {name})"
    )
    return draft.fix(
        f"Choose by the mask: `{name} = {jnp}.where(..., {name})`", Applicability.UNSAFE
    )


def _rewrite(
    draft: Draft, statement: cst.CSTNode, target: cst.Subscript, value: cst.BaseExpression
) -> str | None:
    """Make the edits; the update that is used, None where there is none."""
    name = draft.text(target.value)
    taken = ""
    method: str | None = "set"
    if isinstance(statement, cst.AugAssign):
        kind = type(statement.operator)
        method = _METHODS.get(kind)
        if method is None and kind in _OPERATORS:
            method, taken = "set", f"{draft.text(target)} {_OPERATORS[kind]} "
    if method is None:
        return None
    text = draft.text(value)
    if taken and not isinstance(value, (cst.Name, cst.Integer, cst.Call, cst.Subscript)):
        bracketed = text if value.lpar else f"({text})"
    else:
        bracketed = text
    is_tuple = isinstance(value, cst.Tuple)
    draft.before(target, f"{name} = ")
    draft.insert(draft.end(target.value), ".at")
    if value.lpar and not taken and not is_tuple:
        # The brackets that are there become those of the call.
        draft.replace_between(draft.end(target), draft.start(value), f".{method}")
        return method
    opening = f".{method}({taken}"
    if is_tuple and not value.lpar:
        opening += "("
    if bracketed != text:
        opening += "("
    draft.replace_between(draft.end(target), draft.start(value), opening)
    extra = opening.count("(") - taken.count("(")
    draft.behind(value, ")" * extra)
    return method

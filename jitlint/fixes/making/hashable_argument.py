"""JIT304: tuples for lists, frozensets for sets; what holds arrays is not declared static."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.events import (
    ArrayDeclaredStatic,
    Event,
    StaticFieldArray,
    UnhashableStaticArgument,
)
from jitlint.absint.machine.given import given_at
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.static_declaration import decorator_listing, undeclare_static

_ARRAYS: Final = frozenset({"array", "NumPy array"})


def fix(event: Event) -> Fix | None:
    """Pass something that has a hash, or have the parameter traced if it holds arrays."""
    if isinstance(event, StaticFieldArray):
        # Whether the field is data, or may be a tuple, is for its author to say.
        return None
    draft = Draft(event)
    if isinstance(event, ArrayDeclaredStatic):
        # A typed dict mostly holds numbers that shapes are made of.
        return None if event.kind.endswith("` dict") else _traced(draft, event.operand)
    assert isinstance(event, UnhashableStaticArgument)
    if event.python_type in _ARRAYS:
        return _passed_traced(draft)
    argument = draft.node
    if not isinstance(argument, cst.BaseExpression) or event.parameter == "self":
        return None
    if "list" in event.python_type:
        return _tuples(draft, argument)
    return _frozen(draft, argument) if event.python_type == "set" else None


def _tuples(draft: Draft, argument: cst.BaseExpression) -> Fix | None:
    """Each list in an argument becomes a tuple."""
    displays = [node for node in walk(argument) if isinstance(node, (cst.List, cst.ListComp))]
    if isinstance(argument, (cst.List, cst.Tuple)):
        if any(not isinstance(it, cst.List) for it in displays):
            return None
        for node in displays:
            assert isinstance(node, cst.List)
            single = len(node.elements) == 1 and not isinstance(node.elements[0].comma, cst.Comma)
            draft.replace_width(draft.inner_start(node), 1, "(")
            draft.replace_width(draft.before_end(node), 1, ",)" if single else ")")
        message = "Pass a tuple"
    elif isinstance(argument, cst.ListComp):
        draft.replace_width(draft.inner_start(argument), 1, "tuple(")
        draft.replace_width(draft.before_end(argument), 1, ")")
        message = "Pass a tuple"
    elif draft.event.python_type == "list":  # type: ignore[attr-defined]
        draft.before(argument, "tuple(")
        draft.behind(argument, ")")
        message = f"Pass `tuple({draft.text(argument)})`"
    else:
        return None
    if draft.binds_around("tuple") or "tuple" in draft.module.bindings:
        return None
    return draft.fix(message, Applicability.UNSAFE)


def _frozen(draft: Draft, argument: cst.BaseExpression) -> Fix | None:
    if draft.binds_around("frozenset") or "frozenset" in draft.module.bindings:
        return None
    draft.before(argument, "frozenset(")
    draft.behind(argument, ")")
    return draft.fix("Pass a `frozenset`", Applicability.UNSAFE)


def _passed_traced(draft: Draft) -> Fix | None:
    """Take the parameter that an array is passed for out of the options of the transform."""
    given = given_at(draft.event.chain[1])
    here = None if given is None else draft.elsewhere(given.application.place)
    if given is None or here is None or given.application.bound is None:
        return None
    call = here.node
    if not isinstance(call, cst.Call):
        return None
    removed = undeclare_static(here, call, given.application.positional, given.name)
    return _untied(draft, removed, given.name)


def _traced(draft: Draft, name: str) -> Fix | None:
    """Take a parameter out of the options of the decorator above it."""
    function = next(
        (it for it in draft.around(draft.node) if isinstance(it, cst.FunctionDef)), None
    )
    listing = None if function is None else decorator_listing(draft, function)
    return None if listing is None else _untied(draft, undeclare_static(*listing, name), name)


def _untied(draft: Draft, removed: str | None, name: str) -> Fix | None:
    if removed is None or name in ("self", "cls"):
        return None
    return draft.fix(f"Have `{name}` traced: take it out of `{removed}`", Applicability.UNSAFE)

"""JIT201, and JIT105 in what is printed: ``print`` becomes ``jax.debug.print`` of the same text."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import Conversion, Event, Print
from jitlint.absint.machine.always import SAME_TEXT, SHOWS_VALUES
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.format_strings import (
    Field,
    NotUnderstoodError,
    Pieces,
    format_string,
    makes_text,
    pieces_of,
    quote_of,
)
from jitlint.fixes.making.names import name_of

_FORMATTING: Final = ("format specification", "% formatting")
#: what means something else in an argument of its own
_NO_ARGUMENT: Final = (cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement, cst.GeneratorExp)


def fix(event: Event) -> Fix | None:
    """Have JAX print the same text, in every run."""
    if isinstance(event, Conversion) and event.callee not in _FORMATTING:
        return None
    if isinstance(event, Print) and SHOWS_VALUES not in event.always:
        return None
    draft = Draft(event)
    call = _print_around(draft)
    if call is None or draft.function is None:
        return None
    try:
        pieces = _printed(draft, call)
    except NotUnderstoodError:
        return None
    fields = [piece for piece in pieces if isinstance(piece, Field)]
    inner = [node for it in fields for node in walk(it.node)]
    if any(isinstance(node, _NO_ARGUMENT) or makes_text(node) for node in inner):
        return None
    jax = name_of(draft, "jax")
    if jax is None or not call.args:
        return None
    first, last = call.args[0], call.args[-1]
    quote = next(filter(None, (quote_of(arg.value) for arg in call.args)), '"')
    words = [format_string(pieces, quote), *(draft.text(it.node) for it in fields)]
    where = draft.start(first.value)
    alone = where.row > draft.end(call.func).row and len(call.args) > 1
    separator = f",\n{' ' * (where.column - 1)}" if alone else ", "
    draft.replace(call.func, f"{jax}.debug.print")
    draft.replace_between(where, draft.end(last.value), separator.join(words))
    return draft.fix(f"Print with `{jax}.debug.print`", _applicability(event, draft, call))


def _print_around(draft: Draft) -> cst.Call | None:
    """The call of ``print``, alone in its statement, that the place is or stands in."""
    for node in (draft.node, *draft.around(draft.node)):
        if isinstance(node, cst.Call) and dotted(node.func) == "print":
            shadowed = draft.binds_around("print") or "print" in draft.module.bindings
            alone = isinstance(draft.parent(node), cst.Expr) and not node.lpar
            return node if alone and not shadowed else None
        if isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement, cst.Lambda)):
            return None
    return None


def _printed(draft: Draft, call: cst.Call) -> Pieces:
    """What is printed, as one text."""
    between = " "
    parts: list[Pieces] = []
    for arg in call.args:
        keyword = None if arg.keyword is None else arg.keyword.value
        if arg.star or keyword not in (None, "sep", "end", "flush"):
            raise NotUnderstoodError
        if keyword is None:
            parts.append(pieces_of(draft, arg.value))
        elif keyword != "flush":
            text = getattr(arg.value, "evaluated_value", None)
            if not isinstance(text, str) or (keyword == "end" and text != "\n"):
                raise NotUnderstoodError
            between = text if keyword == "sep" else between
    found: Pieces = []
    for number, pieces in enumerate(parts):
        found += [between] if number else []
        found += pieces
    return found


def _applicability(event: Event, draft: Draft, call: cst.Call) -> Applicability:
    """Safe where the text is the same, and no other may overtake it: JAX prints in any order."""
    assert draft.function is not None
    in_loop = any(isinstance(it, (cst.For, cst.While, cst.BaseComp)) for it in draft.around(call))
    prints = (
        node
        for node in draft.function.own_nodes
        if isinstance(node, cst.Call) and (dotted(node.func) or "").endswith("print")
    )
    traced = not isinstance(event, Print) or event.traced
    alone = not in_loop and all(node is call for node in prints)
    safe = traced and alone and SAME_TEXT in event.always
    return Applicability.SAFE if safe else Applicability.UNSAFE

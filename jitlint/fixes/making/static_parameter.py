"""What Python needs while tracing, and is a parameter of the traced function, is declared static.

It is never safe: an array that is passed could not be hashed, and each value is compiled for.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.code.syntax import children
from jitlint.absint.events import (
    Assertion,
    BooleanOperation,
    Branch,
    BuiltinComparison,
    Conversion,
    Event,
    Hash,
    Loop,
    NonArrayArgument,
    PythonIndex,
    StaticParameter,
    TypeTest,
)
from jitlint.absint.machine.given import UNSEEN, Given, given_at, given_kind
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.dependence import Dependence, uses_as_array
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.static_declaration import declare_static

#: what takes the truth of a value: only flags are settings there, numbers are data
_ASKS_TRUTH: Final = (Assertion, BooleanOperation, Branch, BuiltinComparison, Loop)
#: sequences of Python, which an array of the program may index
_SEQUENCES: Final = frozenset({"list index", "tuple index", "string index"})


def fix(event: Event) -> Fix | None:
    """List the parameter in ``static_argnames``."""
    given = given_at(event.chain[1])
    if given is None or not _is_setting(event, given):
        return None
    draft = Draft(event)
    if not isinstance(event, NonArrayArgument) and not _is_cured(draft, event, given):
        return None
    added = declare_static(draft, given.application, given.name)
    if added is None:
        return None
    return draft.fix(f"Make `{given.name}` static: `{added}`", Applicability.UNSAFE)


def _is_setting(event: Event, given: Given) -> bool:
    """Whether what is passed for a parameter is a setting of the program, and no data."""
    kind = given_kind(given, event.always)
    if kind is None:
        return False
    if isinstance(event, _ASKS_TRUTH):
        return kind in ("bool", "str")
    if isinstance(event, PythonIndex) and event.construct in _SEQUENCES:
        return kind == "int"
    if isinstance(event, Conversion):
        return kind == "bool" or (kind == "int" and event.callee in ("int", "operator.index"))
    if isinstance(event, NonArrayArgument):
        return kind != UNSEEN and not event.holder
    if isinstance(event, (Hash, TypeTest)):
        return kind != UNSEEN
    return isinstance(event, (PythonIndex, StaticParameter))


def _is_cured(draft: Draft, event: Event, given: Given) -> bool:
    """Whether nothing at the place is traced any more, and nothing else breaks, by its look."""
    if uses_as_array(given.application.code, given.name):
        return False
    operand = _operand(draft)
    dependence = Dependence(given)
    return (
        operand is not None
        and dependence.is_known(operand, draft.parsed, event.chain[0])
        and dependence.found
    )


def _operand(draft: Draft) -> cst.CSTNode | None:
    """What is traced, in or at the place of an event: the outermost node with that text."""
    level: list[cst.CSTNode] = [draft.node]
    while level:
        for node in level:
            if Place(draft.parsed, node).text() == draft.event.operand:
                return node
        level = [child for node in level for child in children(node)]
    return None

"""What the interpreter does with values, in tables that the rooms above fill when imported.

The machine knows no Python and no JAX: how a value of each class is called, and how a few things
are done that every room needs, is registered here by those who know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import libcst as cst

from jitlint.absint.values.domain import Value

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments
    from jitlint.absint.machine.interpreter import Interpreter

    CallRule = Callable[[Interpreter, Any, Arguments, cst.CSTNode], Value]

Handler = Callable[["Interpreter", Any], Value]
StatementHandler = Callable[["Interpreter", Any], None]
_Rule = TypeVar("_Rule", bound=Callable[..., Any])

#: what a node of each class gives, or does
EXPRESSIONS: dict[type, Handler] = {}
STATEMENTS: dict[type, StatementHandler] = {}
#: how values of each class are called; the rule of ``Value`` is for all that have none
CALLS: dict[type[Value], CallRule] = {}
#: what is done in one way only, by name
VERBS: dict[str, Callable[..., Any]] = {}


def calls_of(kind: type[Value]) -> Callable[[_Rule], _Rule]:
    """Register how values of a class are called."""

    def register(rule: _Rule) -> _Rule:
        CALLS[kind] = rule
        return rule

    return register


def verb(name: str) -> Callable[[_Rule], _Rule]:
    """Register how something is done."""

    def register(rule: _Rule) -> _Rule:
        VERBS[name] = rule
        return rule

    return register

"""The questions that this room answers, each by rules that its modules register.

Expressions are made of expressions, and what a loop goes through of what functions give: the
answers lead to each other.  All are about the text, asked where an array is handed over to what
compiles for its shape; what names stand for is looked up.  Where the text does not tell, nothing
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Final, TypeVar

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.sizes.bindings import part_of
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.limits import SIZE_QUESTIONS
from jitlint.foundation.records import Record


class How(Enum):
    """In which way a size changes.

    Attributes:
      GROWS: something gets longer, or shorter.
      FOLLOWS: it is what a counter says, or another number that changes.
      LEFT_OVER: the last of several parts is what is left.
      SELECTED: it is as many as the values say.
      TEXT: texts have lengths of their own.
      PLACED: it is put on another device, for which JAX compiles as for another size; asked only of
        what the code lists.
    """

    GROWS = "grows"
    FOLLOWS = "follows"
    LEFT_OVER = "left over"
    SELECTED = "selected"
    TEXT = "text"
    PLACED = "placed"


class Change(Record):
    """That a size changes.

    Args:
      how: in which way.
      subject: what makes it change, as the code writes it.
      place: where that is.
    """

    how: How
    subject: str
    place: Place


#: which part of what is unpacked
Index = tuple[int, ...]
_ALL: Final[Index] = ()
_Rule = Callable[[Scope, Any, Index], Change | None]
_RuleT = TypeVar("_RuleT", bound=_Rule)

_SIZES: dict[type[cst.CSTNode], _Rule] = {}
_OTHERS: dict[str, _Rule] = {}


def size_of(*kinds: type[cst.CSTNode]) -> Callable[[_RuleT], _RuleT]:
    """Register how the size of what expressions give changes, by their classes."""

    def register(rule: _RuleT) -> _RuleT:
        _SIZES.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def answers(question: str) -> Callable[[_RuleT], _RuleT]:
    """Register what answers a question: ``number``, ``element``."""

    def register(rule: _RuleT) -> _RuleT:
        _OTHERS[question] = rule
        return rule

    return register


def _asked(
    scope: Scope, question: str, rule: _Rule | None, node: cst.CSTNode, index: Index
) -> Change | None:
    """The answer of a rule; none where the question leads to itself, or too far."""
    key = question, id(node), id(scope.repeated), index
    if rule is None or key in scope.active or len(scope.active) >= SIZE_QUESTIONS:
        return None
    scope.active.add(key)
    try:
        return rule(scope, node, index)
    finally:
        scope.active.discard(key)


def change_of_size(scope: Scope, node: cst.BaseExpression, index: Index = _ALL) -> Change | None:
    """How the size of what an expression gives changes, None if it does not for sure.

    Args:
      scope: what runs each time.
      node: the expression.
      index: the part of the result that is meant, all of it if empty.
    """
    node, index = part_of(node, index)
    return _asked(scope, "size", _SIZES.get(type(node)), node, index)


def change_of_number(scope: Scope, node: cst.BaseExpression) -> Change | None:
    """How a number changes from which a size is made."""
    return _asked(scope, "number", _OTHERS["number"], node, _ALL)


def change_of_element(scope: Scope, node: cst.BaseExpression, index: Index = _ALL) -> Change | None:
    """How the size of the elements changes that something gives one by one."""
    return _asked(scope, "element", _OTHERS["element"], node, index)


def first_of(changes: Iterable[Change | None]) -> Change | None:
    """The first change of some."""
    return next((change for change in changes if change is not None), None)


def changed(scope: Scope, how: How, node: cst.CSTNode, subject: str = "") -> Change:
    """That something changes, at a node of the code of a scope."""
    return Change(how, subject or scope.source(node), Place(scope.parsed, node))

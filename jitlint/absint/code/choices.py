"""What the default of a parameter hides: code that a function runs under other values only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import EllipsisType
from typing import Any, Final, Literal

import libcst as cst

from jitlint.absint.code.functions import parameters_of
from jitlint.absint.code.syntax import children, walk_own

#: a value of a parameter that a test asks for; ``...`` for any other than the default
Choice = str | int | float | bool | EllipsisType | None

#: nodes that ask something or hand something on, each with the parameters of the nested functions
#: that it stands in: they hide others of their names
Questions = tuple[tuple[cst.CSTNode, frozenset[str]], ...]
#: what a test may leave out: parts of the function, True for what matters in any case
_Hidden = tuple[cst.CSTNode, ...] | Literal[True]

_LEAVING: Final = (cst.Return, cst.Raise, cst.Continue, cst.Break)
_NAMED: Final = {"None": None, "True": True, "False": False}


_ASKING: Final = frozenset(
    {cst.If, cst.IfExp, cst.While, cst.Assert, cst.CompIf, cst.Match, cst.MatchValue,
     cst.Comparison, cst.Arg}
)  # fmt: skip
#: those of them that run what stands under them where their test is true, and nothing else
_TESTING: Final = frozenset({cst.While, cst.Assert, cst.CompIf})


def questions(function: cst.FunctionDef | cst.Lambda) -> Questions:
    """What a function asks and hands on, in source order, with what is nested in it."""
    found: list[tuple[cst.CSTNode, frozenset[str]]] = []
    stack: list[tuple[cst.CSTNode, frozenset[str]]] = [(function.body, frozenset())]
    while stack:
        node, hidden = stack.pop()
        if type(node) in _ASKING:
            found.append((node, hidden))
        elif type(node) is cst.FunctionDef or type(node) is cst.Lambda:
            hidden |= {parameter.name for parameter in parameters_of(node)}
        stack.extend([(child, hidden) for child in reversed(children(node))])
    return tuple(found)


class Defaulted:
    """A parameter of a function, and its default.

    Args:
      asked: what the function asks.
      name: the parameter.
      default: its default, a constant.
      matters: whether code that is left out, a block or an expression, is of interest.
    """

    __slots__ = ("asked", "default", "matters", "name")

    def __init__(
        self,
        asked: Questions,
        name: str,
        default: Any,
        matters: Callable[[cst.CSTNode], bool],
    ) -> None:
        self.asked = asked
        self.name = name
        self.default = default
        self.matters = matters

    def alternatives(self) -> tuple[Choice, ...]:
        """Other values, each of which runs code that the default leaves out; in source order."""
        found: dict[str, Choice] = {}
        asked: list[Choice] | None = None
        for test, *hidden in self._tests():
            outcome = self._decide(test, self.default)
            if outcome is not None and self._hides(hidden[outcome]):
                if asked is None:
                    asked = list(self._asked())
                named = [choice for choice in asked if self._decide(test, choice) is not outcome]
                if not named and not isinstance(self.default, bool):
                    named = [] if self._decide(test, ...) is outcome else [...]
                found.update((repr(choice), choice) for choice in named)
        return tuple(found.values())

    def is_handed_on(self) -> bool:
        """Whether the function passes the parameter on as it is."""
        return any(
            type(arg) is cst.Arg and type(arg.value) is cst.Name and arg.value.value == self.name
            for arg in self._nodes()
        )

    def _nodes(self) -> Iterator[cst.CSTNode]:
        """What is asked, but for that in nested functions that have a parameter of this name."""
        return (node for node, hidden in self.asked if self.name not in hidden)

    def _tests(self) -> Iterator[tuple[cst.BaseExpression, _Hidden, _Hidden]]:
        """Tests, each with what it leaves out where it is false and where it is true."""
        for node in self._nodes():
            if type(node) is cst.If:
                rest: _Hidden = () if node.orelse is None else (node.orelse,)
                yield node.test, (node.body,), _leaves(node.body) or rest
            elif type(node) is cst.IfExp:
                yield node.test, (node.body,), (node.orelse,)
            elif type(node) in _TESTING:
                yield node.test, True, ()  # type: ignore[attr-defined]
            elif type(node) is cst.Match:
                for case in node.cases:
                    if type(case.pattern) is cst.MatchValue:
                        target = cst.ComparisonTarget(cst.Equal(), case.pattern.value)
                        test = cst.Comparison(node.subject, [target])
                        yield test, (case.body,), ()

    def _hides(self, hidden: _Hidden) -> bool:
        """Whether something that matters is left out."""
        return hidden is True or any(map(self._is_missed, hidden))

    def _is_missed(self, node: cst.CSTNode) -> bool:
        """Whether there is more in a branch than an error, and it matters."""
        if isinstance(node, cst.BaseExpression):
            does = any(isinstance(inner, (cst.Call, cst.Lambda)) for inner in walk_own(node))
        else:
            does = any(
                (
                    isinstance(inner, cst.BaseSmallStatement)
                    and not isinstance(inner, (cst.Raise, cst.Pass))
                )
                or isinstance(inner, cst.FunctionDef)
                for inner in walk_own(node)
            )
        return does and self.matters(node)

    def _asked(self) -> Iterator[Choice]:
        """The other values that the function asks for."""
        if isinstance(self.default, bool):
            yield not self.default
        for node in self._nodes():
            if type(node) is cst.Comparison and len(node.comparisons) == 1:
                target = node.comparisons[0].comparator
                for mine, its in ((node.left, target), (target, node.left)):
                    if type(mine) is cst.Name and mine.value == self.name:
                        parts = its.elements if isinstance(its, _DISPLAYS) else ()
                        yield from self._others([its, *(element.value for element in parts)])
            elif type(node) is cst.MatchValue:
                yield from self._others([node.value])

    def _others(self, nodes: Iterable[cst.CSTNode]) -> Iterator[Choice]:
        """The constants among some expressions, but for the default."""
        for node in nodes:
            known, value = _constant(node)
            if known and not _same(value, self.default):
                yield value

    def _decide(self, test: cst.BaseExpression, value: Choice) -> bool | None:
        """How a test comes out for a value of the parameter, None where that does not tell."""
        if type(test) is cst.Name and test.value == self.name:
            return None if value is ... else bool(value)
        if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
            inner = self._decide(test.expression, value)
            return None if inner is None else not inner
        if type(test) is cst.BooleanOperation:
            sides = {self._decide(test.left, value), self._decide(test.right, value)}
            stop = type(test.operator) is cst.Or
            return stop if stop in sides else (None if None in sides else not stop)
        if type(test) is cst.Comparison and len(test.comparisons) == 1:
            return self._compare(test.left, test.comparisons[0], value)
        return None

    def _compare(
        self, left: cst.BaseExpression, target: cst.ComparisonTarget, value: Choice
    ) -> bool | None:
        right = target.comparator
        negated = isinstance(target.operator, (cst.IsNot, cst.NotEqual, cst.NotIn))
        if type(right) is cst.Name and right.value == self.name:
            left, right = right, left
            if isinstance(target.operator, (cst.In, cst.NotIn)):
                _, part = _constant(right)
                texts = isinstance(part, str) and isinstance(value, str)
                return (part in value) is not negated if texts else None  # type: ignore[operator]
            if not isinstance(target.operator, (cst.Equal, cst.NotEqual)):
                return None
        if type(left) is not cst.Name or left.value != self.name:
            return None
        if isinstance(target.operator, (cst.In, cst.NotIn)):
            if not isinstance(right, _DISPLAYS) or value is ...:
                return None
            parts = [_constant(element.value) for element in right.elements]
            if not all(known for known, _ in parts):
                return None
            return (value in [constant for _, constant in parts]) is not negated
        known, constant = _constant(right)
        if not known:
            return None
        if isinstance(target.operator, (cst.Is, cst.IsNot, cst.Equal, cst.NotEqual)):
            if value is ...:
                # Any other than the default.
                return negated if _same(constant, self.default) else None
            return _same(constant, value) is not negated
        order = _ORDER.get(type(target.operator))
        numbers = all(isinstance(side, (int, float)) for side in (value, constant))
        return order(value, constant) if order is not None and numbers else None


_DISPLAYS: Final = (cst.Tuple, cst.List, cst.Set)
_ORDER: Final[dict[type, Any]] = {
    cst.LessThan: lambda a, b: a < b,
    cst.LessThanEqual: lambda a, b: a <= b,
    cst.GreaterThan: lambda a, b: a > b,
    cst.GreaterThanEqual: lambda a, b: a >= b,
}


def _same(left: Choice, right: Choice) -> bool:
    return type(left) is type(right) and left == right


def _constant(node: cst.CSTNode) -> tuple[bool, Choice]:
    """(whether an expression is a constant, its value)."""
    if type(node) is cst.Name and node.value in _NAMED:
        return True, _NAMED[node.value]
    if isinstance(node, (cst.SimpleString, cst.Integer, cst.Float)):
        value = node.evaluated_value
        return (False, None) if isinstance(value, bytes) else (True, value)
    if type(node) is cst.UnaryOperation and type(node.operator) is cst.Minus:
        _, number = _constant(node.expression)
        if isinstance(number, (int, float)):
            return True, -number
    return False, None


def _leaves(block: cst.BaseSuite) -> bool:
    """Whether a block is left before its end, and what follows it left out."""
    last = block.body[-1] if block.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, _LEAVING)

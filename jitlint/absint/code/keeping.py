"""What code computes once and keeps: branches that run where nothing was kept before."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from jitlint.absint.code.conditions import conjuncts
from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted, is_none, walk_own
from jitlint.foundation.records import Record

_ENDING = (cst.Return, cst.Raise)


class _Missing(Record):
    """A test that asks whether something was kept, and the outcome that says that it was not."""

    kept: str
    outcome: bool


def fills_attribute(node: cst.If) -> bool:
    """Whether a branch is taken once: ``if self.n is None:`` with ``self.n = ...`` under it."""
    asked = {
        missing.kept
        for test in conjuncts(node.test)
        if type(test) is cst.Comparison and type(test.left) is cst.Attribute
        for missing in _asked(test, {})
        if missing.outcome
    }
    return bool(asked) and not asked.isdisjoint(_stored(node.body))


def filled_ways(place: tuple[Code, cst.If]) -> frozenset[bool]:
    """The outcomes of a test under which something is computed that is kept from then on.

    ``if self.table is None: self.table = make()``, ``if key not in CACHE: CACHE[key] = make()``,
    ``if hit is not None: return hit`` with ``CACHE[key] = make()`` further down.  What is kept
    outlives the call: an attribute, or a container that the function has not made.
    """
    code, node = place
    lookups = _lookups(code)
    found = set()
    for test in conjuncts(node.test):
        for missing in _asked(test, lookups):
            if missing.kept.partition(".")[0] in code.bound_names and "." not in missing.kept:
                continue
            if missing.outcome and missing.kept in _stored(node.body):
                found.add(True)
            elif not missing.outcome and _leaves(node.body) and missing.kept in _later(code, node):
                found.add(False)
    return frozenset(found)


def _asked(test: cst.BaseExpression, lookups: dict[str, str]) -> Iterator[_Missing]:
    """What a test asks for that may have been kept."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        for missing in _asked(test.expression, lookups):
            yield _Missing(missing.kept, not missing.outcome)
    elif type(test) is cst.Call and dotted(test.func) == "hasattr" and len(test.args) == 2:
        owner, name = dotted(test.args[0].value), _text(test.args[1].value)
        if owner is not None and name is not None:
            yield _Missing(f"{owner}.{name}", False)
    elif type(test) is cst.Comparison and len(test.comparisons) == 1:
        target = test.comparisons[0]
        operator = type(target.operator)
        if operator in (cst.Is, cst.IsNot) and is_none(target.comparator):
            kept = _kept(test.left, lookups)
            if kept is not None:
                yield _Missing(kept, operator is cst.Is)
        elif operator in (cst.In, cst.NotIn):
            owner = dotted(target.comparator)
            if owner is not None:
                yield _Missing(owner, operator is cst.NotIn)


def _kept(node: cst.BaseExpression, lookups: dict[str, str]) -> str | None:
    """Where a value was kept that is asked for: an attribute, or a container with it in it."""
    if type(node) is cst.Attribute:
        return dotted(node)
    if type(node) is cst.Name:
        return lookups.get(node.value)
    return _looked_up(node)


def _looked_up(node: cst.BaseExpression) -> str | None:
    """``CACHE`` of ``CACHE.get(key)``, ``self.table`` of ``getattr(self, "table", None)``."""
    if type(node) is not cst.Call or not node.args:
        return None
    if dotted(node.func) == "getattr" and len(node.args) == 3:
        owner, name = dotted(node.args[0].value), _text(node.args[1].value)
        if owner is None or name is None or not is_none(node.args[2].value):
            return None
        return f"{owner}.{name}"
    if type(node.func) is cst.Attribute and node.func.attr.value == "get":
        return dotted(node.func.value)
    return None


def _lookups(code: Code) -> dict[str, str]:
    """The names of a function that are looked up in a container, each with that container."""
    found = {}
    for node in code.own_nodes:
        if type(node) is cst.Assign and type(node.targets[0].target) is cst.Name:
            owner = _looked_up(node.value)
            if owner is not None:
                found[node.targets[0].target.value] = owner
    return found


def _stored(node: cst.CSTNode) -> set[str]:
    """The attributes that code sets, and the containers that it stores items in."""
    found: set[str | None] = set()
    for inner in walk_own(node):
        if type(inner) is cst.Assign:
            for target in inner.targets:
                stored = target.target
                found.add(dotted(stored.value if type(stored) is cst.Subscript else stored))
    return {path for path in found if path is not None}


def _later(code: Code, node: cst.If) -> set[str]:
    """The same of all code of a function but for a statement."""
    mine = {id(inner) for inner in walk_own(node)}
    found = set()
    for inner in code.own_nodes:
        if type(inner) is cst.Assign and id(inner) not in mine:
            found |= _stored(inner)
    return found


def _leaves(block: cst.BaseSuite) -> bool:
    last = block.body[-1] if block.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, _ENDING)


def _text(node: cst.BaseExpression) -> str | None:
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else None
    return value if isinstance(value, str) else None

"""JIT104: ``and``, ``or``, ``not`` and chained comparisons become ``jnp.logical_*``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import BooleanOperation, Event
from jitlint.absint.machine.always import BOOLEANS, SCALARS
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

#: functions of arrays whose results are truth values, under any module
_TESTS: Final = frozenset(
    """all allclose any array_equal isclose isfinite isin isinf isnan logical_and logical_not
    logical_or logical_xor""".split()
)
#: what may be evaluated twice, or where it was not before
_SIMPLE: Final = (cst.Name, cst.Attribute, cst.Integer, cst.Float)
_CONDITIONS: Final = (cst.BooleanOperation, cst.UnaryOperation, cst.Comparison)
_IDENTITY: Final = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
_OPERATOR: Final = re.compile(r"\b(?:and|or)\b")
_ACTS: Final = (cst.NamedExpr, cst.Await, cst.Yield)


def fix(event: Event) -> Fix | None:
    """Ask all operands of the whole condition, and combine the answers."""
    assert isinstance(event, BooleanOperation)
    draft = Draft(event)
    top = draft.node
    for outer in draft.around(draft.node):
        if not isinstance(outer, cst.BooleanOperation) and not _is_not(outer):
            break
        top = outer
    if not isinstance(top, _CONDITIONS) or any(isinstance(it, _ACTS) for it in walk(top)):
        return None
    leaves = list(_leaves(top))
    one = len(leaves) == 1
    means_truth = one or BOOLEANS in event.always or all(map(_is_test, leaves))
    if not means_truth or depends_on_order(top):
        return None
    jnp = name_of(draft, "jax.numpy")
    if jnp is None or not _rewrite(draft, top, jnp):
        return None
    pair = isinstance(top, cst.BooleanOperation) and len(leaves) == 2
    known = {SCALARS} if one and _is_not(top) else {BOOLEANS, SCALARS}
    plain = not any(isinstance(leaf, cst.Comparison) and _is_chain(leaf) for leaf in leaves)
    safe = (pair or one) and plain and event.always >= known
    functions = {cst.And: "logical_and", cst.Or: "logical_or"}
    name = (
        functions[type(top.operator)]
        if isinstance(top, cst.BooleanOperation)
        else "logical_not"
        if _is_not(top)
        else "logical_and"
    )
    return draft.fix(f"Use `{jnp}.{name}`", Applicability.SAFE if safe else Applicability.UNSAFE)


def condition_text(draft: Draft, test: cst.BaseExpression, jnp: str) -> str | None:
    """A condition as one expression of arrays; None where there is none.

    Args:
      draft: the fix.
      test: what an ``if`` asks.
      jnp: the name of ``jax.numpy``.
    """
    if any(isinstance(inner, _ACTS) for inner in walk(test)):
        return None
    if isinstance(test, cst.BooleanOperation):
        operands = [condition_text(draft, it, jnp) for it in (test.left, test.right)]
        if None in operands or depends_on_order(test):
            return None
        name = "logical_or" if isinstance(test.operator, cst.Or) else "logical_and"
        return f"{jnp}.{name}({operands[0]}, {operands[1]})"
    if isinstance(test, cst.UnaryOperation) and _is_not(test):
        operand = condition_text(draft, test.expression, jnp)
        return None if operand is None else f"{jnp}.logical_not({operand})"
    if isinstance(test, cst.Comparison) and _is_chain(test):
        middle = test.comparisons[0].comparator
        if len(test.comparisons) != 2 or not isinstance(middle, _SIMPLE):
            return None
        first = draft.between(draft.inner_start(test), draft.end(middle))
        second = draft.between(draft.start(middle), draft.inner_end(test))
        return f"{jnp}.logical_and({first}, {second})"
    return draft.text(test)


def _is_not(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)


def _is_chain(node: cst.Comparison) -> bool:
    return len(node.comparisons) > 1


def _leaves(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The operands of a condition, without the operators that combine them."""
    if isinstance(node, cst.BooleanOperation):
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    elif isinstance(node, cst.UnaryOperation) and _is_not(node):
        yield from _leaves(node.expression)
    elif isinstance(node, cst.BaseExpression):
        yield node


def depends_on_order(condition: cst.BaseExpression) -> bool:
    """Whether what is asked later may only be asked under what is asked first."""
    return any(map(_must_be_first, _leaves(condition)))


def _must_be_first(leaf: cst.BaseExpression) -> bool:
    """Whether what follows may only be asked under this operand: ``x is not None and x > 0``."""
    if isinstance(leaf, cst.Comparison):
        return any(isinstance(it.operator, _IDENTITY) for it in leaf.comparisons)
    called = (node for node in walk(leaf) if isinstance(node, cst.Call))
    return any(dotted(call.func) in ("isinstance", "hasattr", "callable", "len") for call in called)


def _rewrite(draft: Draft, node: cst.BaseExpression, jnp: str) -> bool:
    """Make the edits; False where there is no such form."""
    if isinstance(node, cst.BooleanOperation):
        name = "logical_or" if isinstance(node.operator, cst.Or) else "logical_and"
        between = draft.between(draft.end(node.left), draft.start(node.right))
        if "#" in between or "\\" in between:
            return False
        draft.insert(draft.start(node.left), f"{jnp}.{name}(")
        done = _rewrite(draft, node.left, jnp)
        draft.replace_between(draft.end(node.left), draft.start(node.right), _with_comma(between))
        done = _rewrite(draft, node.right, jnp) and done
        draft.behind(node.right, ")")
        return done
    if isinstance(node, cst.UnaryOperation) and _is_not(node):
        inner = node.expression
        opening = f"{jnp}.logical_not{'' if inner.lpar else '('}"
        draft.replace_between(draft.inner_start(node), draft.start(inner), opening)
        done = _rewrite(draft, inner, jnp)
        if not inner.lpar:
            draft.behind(inner, ")")
        return done
    if isinstance(node, cst.Comparison) and _is_chain(node):
        return _unchain(draft, node, jnp)
    return True


def _with_comma(between: str) -> str:
    """A comma in the place of ``and`` or ``or``; a row that ends there ends there still."""
    before, after = _OPERATOR.split(between, maxsplit=1)
    return f",{before}{after.lstrip(' ')}" if "\n" in before else f",{after}"


def _unchain(draft: Draft, node: cst.Comparison, jnp: str) -> bool:
    """``a < b < c`` becomes ``logical_and(a < b, b < c)``."""
    middle = node.comparisons[0].comparator
    if len(node.comparisons) != 2 or not isinstance(middle, _SIMPLE):
        return False
    draft.insert(draft.inner_start(node), f"{jnp}.logical_and(")
    draft.behind(middle, f", {draft.text(middle)}")
    draft.insert(draft.inner_end(node), ")")
    return True


def _is_test(node: cst.BaseExpression) -> bool:
    """Whether an expression gives truth values, by the look of it."""
    if isinstance(node, cst.Call):
        name = dotted(node.func)
        last = node.func.attr.value if isinstance(node.func, cst.Attribute) else name
        return last in _TESTS
    return isinstance(node, cst.Comparison)

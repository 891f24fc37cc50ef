"""JIT110: ``min``, ``max``, ``any``, ``all``, ``sorted`` and ``in`` become functions of arrays."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import BuiltinComparison, Event
from jitlint.absint.machine.always import ARRAYS, SEQUENCE
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

_PAIRS: Final = {"max": "maximum", "min": "minimum"}
_OF_ONE: Final = {"max": "max", "min": "min", "any": "any", "all": "all", "sorted": "sort"}
#: what gives its elements one by one, which makes no array by itself
_ITERATORS: Final = frozenset({"map", "filter", "zip", "reversed", "iter", "values"})
#: which have no order, or no end
_NO_SEQUENCES: Final = (cst.Set, cst.Dict, cst.SetComp, cst.DictComp)


def fix(event: Event) -> Fix | None:
    """Use the function of ``jax.numpy`` that does so to arrays."""
    assert isinstance(event, BuiltinComparison)
    draft = Draft(event)
    node = draft.node
    if any(isinstance(inner, (cst.NamedExpr, cst.Await, cst.Yield)) for inner in walk(node)):
        return None
    if isinstance(node, cst.Comparison):
        return _membership(draft, node)
    if event.parts:
        # The order of arrays is one of values, with nothing beside them.
        return None
    name = dotted(node.func) if isinstance(node, cst.Call) else None
    if name is None or name != event.builtin or name not in _OF_ONE:
        return None
    assert isinstance(node, cst.Call)
    if draft.binds_around(name) or name in draft.module.bindings:
        return None
    if any(arg.star or arg.keyword is not None for arg in node.args):
        return None
    if len(node.args) == 1:
        return _of_one(draft, node, name)
    return _of_several(draft, node, name) if name in _PAIRS else None


def _of_one(draft: Draft, node: cst.Call, name: str) -> Fix | None:
    operand = node.args[0].value
    jnp = name_of(draft, "jax.numpy")
    if jnp is None or isinstance(operand, _NO_SEQUENCES):
        return None
    function = f"{jnp}.{_OF_ONE[name]}"
    draft.replace(node.func, function)
    if isinstance(operand, cst.GeneratorExp) and not operand.lpar:
        draft.before(operand, f"{jnp}.stack([")
        draft.behind(operand, "])")
    elif isinstance(operand, (cst.ListComp, cst.List, cst.Tuple)):
        draft.before(operand, f"{jnp}.stack(")
        draft.behind(operand, ")")
    elif isinstance(operand, cst.GeneratorExp):
        draft.replace_between(draft.start(operand), draft.inner_start(operand), f"{jnp}.stack([")
        draft.replace_between(draft.inner_end(operand), draft.end(operand), "])")
    elif ARRAYS not in draft.event.always:
        # It may be a list of arrays.
        iterates = isinstance(operand, cst.Call) and _last_name(operand.func) in _ITERATORS
        draft.before(operand, f"{jnp}.stack([*" if iterates else f"{jnp}.asarray(")
        draft.behind(operand, "])" if iterates else ")")
    whole = not isinstance(operand, (cst.BaseComp, cst.List, cst.Tuple))
    safe = name in ("any", "all") and ARRAYS in draft.event.always and whole
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    return draft.fix(f"Use `{function}`", applicability)


def _last_name(node: cst.BaseExpression) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else dotted(node) or ""


def _of_several(draft: Draft, node: cst.Call, name: str) -> Fix | None:
    """NaN is passed on, which Python drops or not by the order of the operands."""
    jnp = name_of(draft, "jax.numpy")
    if jnp is None:
        return None
    function = f"{jnp}.{_PAIRS[name]}"
    more = len(node.args) - 2
    draft.replace(node.func, function)
    if more:
        draft.before(node.args[0].value, f"{function}(" * more)
        for arg in node.args[1:-1]:
            draft.behind(arg.value, ")")
    return draft.fix(f"Use `{function}`", Applicability.UNSAFE)


def _membership(draft: Draft, node: cst.Comparison) -> Fix | None:
    """``x in values`` becomes ``jnp.isin(x, values)``."""
    if len(node.comparisons) != 1:
        return None
    (target,) = node.comparisons
    negated = isinstance(target.operator, cst.NotIn)
    if not negated and not isinstance(target.operator, cst.In):
        return None
    values = target.comparator
    known = ARRAYS in draft.event.always
    if isinstance(values, (cst.BaseComp, cst.Set, cst.Dict)):
        return None
    if not known and SEQUENCE not in draft.event.always:
        # Its class says what is in it.
        return None
    between = draft.between(draft.end(node.left), draft.start(values))
    jnp = None if "#" in between or "\n" in between else name_of(draft, "jax.numpy")
    if jnp is None:
        return None
    display = isinstance(values, (cst.List, cst.Tuple))
    if display and isinstance(values, cst.Tuple) and not values.lpar:
        return None
    opening = f"~{jnp}.isin(" if negated else f"{jnp}.isin("
    made = ", " if known else f", {jnp}.array(" if display else f", {jnp}.asarray("
    draft.insert(draft.inner_start(node), opening)
    draft.replace_between(draft.end(node.left), draft.start(values), made)
    draft.behind(values, ")" if known else "))")
    return draft.fix(f"Use `{jnp}.isin`", Applicability.UNSAFE)

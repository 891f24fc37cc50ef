"""JIT101: branches that only choose between values become ``jnp.where``, which computes both.

Where it is not plain that the values are arrays, ``jax.lax.cond`` chooses, which takes any pytrees
of equal structure.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import called_name, dotted, walk
from jitlint.absint.events import Branch, Event
from jitlint.absint.machine.always import holds_array
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.choices import (
    chain_around,
    choice_of,
    choice_without_else,
    replace_statement,
)
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.logical import condition_text, depends_on_order
from jitlint.fixes.making.names import name_of

#: what a value may be made of, so that computing it in vain does nothing
_PURE: Final = (
    cst.Name, cst.Attribute, cst.Integer, cst.Float, cst.BinaryOperation, cst.UnaryOperation,
    cst.Call, cst.Arg, cst.Subscript, cst.SubscriptElement, cst.Index, cst.Slice, cst.Tuple,
    cst.Element, cst.SimpleString,
)  # fmt: skip
#: what cannot be moved into a function
_STAYS: Final = (
    cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement, cst.BooleanOperation,
)  # fmt: skip
#: functions that do something, or look at the function that calls them
_OF_THE_FRAME: Final = frozenset({"print", "next", "setattr", "super", "locals", "vars"})
#: what no program gives
_NO_RESULTS: Final = (cst.BaseString, cst.Lambda)
#: packages whose layers are objects that change when they are called
_OBJECTS: Final = frozenset({"flax.nnx", "haiku"})
#: what is no array, however it is made
_NAMES: Final = frozenset({"None", "True", "False", "NotImplemented", "Ellipsis"})
_MODULES: Final = ("jnp.", "jax.numpy.", "jax.nn.", "jax.lax.", "lax.", "jax.scipy.", "nn.")
#: methods of arrays that give arrays, and change nothing
_METHODS: Final = frozenset(
    """sum mean min max prod std var astype reshape ravel flatten transpose dot clip round squeeze
    cumsum cumprod conj conjugate swapaxes set add multiply divide power""".split()
)


def fix(event: Event) -> Fix | None:
    """Compute both values, and select."""
    assert isinstance(event, Branch)
    draft = Draft(event)
    inner, outer = draft.node, draft.parent(draft.node)
    while isinstance(outer, (cst.BooleanOperation, cst.UnaryOperation)):
        inner, outer = outer, draft.parent(outer)
    if isinstance(outer, cst.IfExp) and outer.test is inner:
        return _of_expression(draft, outer)
    if isinstance(outer, cst.If) and outer.test is inner:
        return _of_statement(draft, outer)
    return None


def _of_expression(draft: Draft, node: cst.IfExp) -> Fix | None:
    text = _selected(
        draft,
        [(node.test, draft.text(node.body), [node.body])],
        (draft.text(node.orelse), [node.orelse]),
    )
    if text is None:
        return None
    draft.replace_between(draft.inner_start(node), draft.inner_end(node), text)
    return _named(draft, text)


def _of_statement(draft: Draft, node: cst.If) -> Fix | None:
    """``if``, with what else there is, that binds the same names each time, or returns."""
    chain = chain_around(draft, node)
    heads = [choice_of(draft, branch.body) for branch in chain]
    first, otherwise = heads[0], chain[-1].orelse
    if first is None or any(choice is None or choice.head != first.head for choice in heads):
        return None
    if isinstance(otherwise, cst.Else):
        last = choice_of(draft, otherwise.body)
    else:
        last = choice_without_else(draft, chain[0], first)
    if last is None or last.head != first.head:
        return None
    conditions = [
        (branch.test, choice.text, choice.values)
        for branch, choice in zip(chain, heads, strict=True)
        if choice is not None
    ]
    text = _selected(draft, conditions, (last.text, last.values))
    if text is None:
        return None
    end = max(choice.end for choice in (*heads, last) if choice is not None)
    replace_statement(draft, chain[0], end, first.head + text)
    return _named(draft, text)


def _named(draft: Draft, text: str) -> Fix | None:
    return draft.fix(f"Select with `{text.partition('(')[0]}`", Applicability.UNSAFE)


def _selected(
    draft: Draft,
    conditions: Sequence[tuple[cst.BaseExpression, str, Sequence[cst.BaseExpression]]],
    otherwise: tuple[str, Sequence[cst.BaseExpression]],
) -> str | None:
    """The expression that chooses; None where there is none.

    Args:
      draft: the fix.
      conditions: each condition, with the value that it selects as text, and the nodes of that.
      otherwise: what is left if none of them holds.
    """
    jnp = name_of(draft, "jax.numpy")
    if jnp is None:
        return None
    if len(conditions) > 1 and any(depends_on_order(test) for test, _, _ in conditions):
        return None
    tests = [condition_text(draft, test, jnp) for test, _, _ in conditions]
    values = [*(node for _, _, nodes in conditions for node in nodes), *otherwise[1]]
    if len({_reshaped(value) for value in values if not _is_number(value)}) > 1:
        # Neither takes values of different shapes.
        return None
    single = all(len(nodes) == 1 for _, _, nodes in conditions)
    text = otherwise[0]
    plain = any(_is_array(draft, value) for value in values)
    if single and plain and all(map(_is_pure, values)):
        for test, (_, chosen, _) in zip(reversed(tests), reversed(conditions), strict=True):
            text = f"{jnp}.where({test}, {chosen}, {text})"
        return None if None in tests else text
    if None in tests or not all(map(_may_move, values)) or len(set(map(_length, values))) > 1:
        return None
    if any(_calls_itself(draft, value) for value in values):
        # Both branches are traced: it would never end.
        return None
    if any(_calls_layer(draft, value) for value in values):
        # Flax and Haiku refuse to run their layers in a trace that they did not begin.
        return None
    jax = name_of(draft, "jax")
    for test, (_, chosen, _) in zip(reversed(tests), reversed(conditions), strict=True):
        text = f"{jax}.lax.cond({test}, lambda: {chosen}, lambda: {text})"
    return None if jax is None else text


def _is_number(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.BaseNumber) or (
        isinstance(value, cst.UnaryOperation) and isinstance(value.expression, cst.BaseNumber)
    )


def _reshaped(value: cst.BaseExpression) -> bool:
    """Whether an expression makes an array of another shape, by its look: ``x[:keep]``."""
    return any(
        (isinstance(node, cst.Slice) and (node.lower is not None or node.upper is not None))
        or (isinstance(node, cst.Call) and called_name(node) in _RESHAPING)
        for node in walk(value)
    )


#: what gives arrays of other shapes than those that it is given
_RESHAPING: Final = frozenset(
    """append atleast_2d block broadcast_to column_stack concatenate delete diff expand_dims flatten
    hstack insert kron outer pad ravel repeat reshape resize squeeze stack tile vstack""".split()
)


def _is_array(draft: Draft, value: cst.BaseExpression) -> bool:
    """Whether a value is no whole tree: it is computed, or its name is known to hold an array."""
    while isinstance(value, cst.Attribute):
        value = value.value
    return not isinstance(value, cst.Name) or holds_array(value.value) in draft.event.always


def _calls_itself(draft: Draft, value: cst.BaseExpression) -> bool:
    around = {it.name.value for it in draft.around(draft.node) if isinstance(it, cst.FunctionDef)}
    return any(
        isinstance(node, cst.Call) and (dotted(node.func) or "").rpartition(".")[2] in around
        for node in walk(value)
    )


def _is_of_module(draft: Draft) -> bool:
    """Whether the place is in a class of modules, by the names of its bases."""
    cls = draft.parsed.unit.cls
    bases = () if cls is None else map(ast.unparse, cls.bases)
    return any(base.endswith("Module") for base in bases)


def _calls_layer(draft: Draft, value: cst.BaseExpression) -> bool:
    """Whether a value may be what a layer gives: ``self.dense(x)``, ``nn.Dense(3)(x)``."""
    calls = [node for node in walk(value) if isinstance(node, cst.Call)]
    if _is_of_module(draft):
        names = [dotted(call.func) or "self." for call in calls]
        return any(name.startswith("self.") for name in names)
    function = draft.function
    if function is None or not _imports_layers(draft):
        return False
    roots = {(dotted(call.func) or "").partition(".")[0] for call in calls}
    return not roots.isdisjoint(function.bound_names)


def _imports_layers(draft: Draft) -> bool:
    """Whether the module has objects of layers, which functions are given."""
    found = (it.target for bindings in draft.module.bindings.values() for it in bindings)
    return any(target is not None and target.qualified in _OBJECTS for target in found)


def _length(value: cst.BaseExpression) -> int | None:
    """How many parts a value has; None for what is not plainly a tuple."""
    return len(value.elements) if isinstance(value, cst.Tuple) else None


def _may_move(value: cst.BaseExpression) -> bool:
    """Whether a value may be what a function gives that JAX traces, by its look."""
    parts = [it.value for it in value.elements] if isinstance(value, cst.Tuple) else [value]
    if any(isinstance(part, _NO_RESULTS) or dotted(part) in _NAMES for part in parts):
        return False
    return not any(
        isinstance(node, _STAYS)
        or (isinstance(node, cst.Call) and dotted(node.func) in _OF_THE_FRAME)
        for node in walk(value)
    )


def _is_pure(value: cst.BaseExpression) -> bool:
    """Whether an expression gives an array or a number and does nothing else, by its look."""
    if isinstance(value, (cst.Tuple, cst.SimpleString)):
        return False
    for node in walk(value):
        if not isinstance(node, _PURE):
            return False
        if isinstance(node, cst.Name) and node.value in _NAMES:
            return False
        if isinstance(node, cst.Call) and not _gives_array(node):
            return False
    return True


def _gives_array(call: cst.Call) -> bool:
    name = dotted(call.func)
    if name is not None and name.startswith(_MODULES):
        return True
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS

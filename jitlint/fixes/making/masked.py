"""JIT109: what a mask chooses is reduced, or replaced, in an array of the shape that there was."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import DataDependentShape, Event
from jitlint.absint.machine.always import FRACTIONS, INTEGERS, WHOLE_MASK
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

#: reductions with a neutral element, which takes the place of what the mask leaves out
_NEUTRAL: Final = {"sum": "0", "prod": "1"}
#: those that take the mask as ``where=``
_WHERE: Final = frozenset({"mean", "std", "var", "any", "all"})
#: those that want to know, too, what an empty choice gives
_EXTREMES: Final = {"max": ("-{}.inf", "min"), "min": ("{}.inf", "max")}
#: functions whose results can be filled up to a length: the most that there can be
_SIZED: Final = frozenset(
    "argwhere compress extract flatnonzero nonzero unique where unique_values".split()
)
#: functions of arrays that work on each element by itself
_ELEMENTWISE: Final = frozenset(
    """abs absolute bitwise_and bitwise_not bitwise_or equal exp fabs greater greater_equal invert
    isfinite isinf isnan less less_equal log logical_and logical_not logical_or not_equal sign
    square sqrt""".split()
)
_KEEPS_ITS_PLACE: Final = (cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement)


def fix(event: Event) -> Fix | None:
    """Keep the shape, and say what counts."""
    assert isinstance(event, DataDependentShape)
    draft = Draft(event)
    node = draft.node
    if any(isinstance(inner, _KEEPS_ITS_PLACE) for inner in walk(node)):
        return None
    if isinstance(node, cst.Call):
        return _filled_up(draft, node, event)
    if event.callee != "boolean mask" or not isinstance(node, cst.Subscript):
        return None
    mask = node.slice[0].slice
    if len(node.slice) != 1 or not isinstance(mask, cst.Index) or node.lpar or mask.star:
        return None
    if isinstance(mask.value, cst.Tuple):
        return None
    outer = draft.parent(node)
    if isinstance(node.value, cst.Attribute) and node.value.attr.value == "at":
        return _replaced(draft, node, node.value, mask.value)
    if isinstance(outer, cst.Attribute):
        call = draft.parent(outer)
        if isinstance(call, cst.Call) and call.func is outer and not call.args:
            return _reduced(draft, node, mask.value, call, outer.attr.value)
    if isinstance(outer, cst.Arg):
        call = draft.parent(outer)
        name = dotted(call.func) if isinstance(call, cst.Call) else None
        if isinstance(call, cst.Call) and len(call.args) == 1 and name and outer.keyword is None:
            jnp = name_of(draft, "jax.numpy")
            if jnp is not None and name.rpartition(".")[0] == jnp:
                return _reduced(draft, node, mask.value, call, name.rpartition(".")[2])
    return _kept(draft, node, mask.value)


def _reduced(
    draft: Draft, node: cst.Subscript, mask: cst.BaseExpression, call: cst.Call, name: str
) -> Fix | None:
    """``x[mask].sum()``, ``jnp.mean(x[mask])``: what the mask leaves out does not count."""
    jnp = name_of(draft, "jax.numpy")
    if jnp is None:
        return None
    array, chosen = draft.text(node.value), draft.text(mask)
    always = draft.event.always
    if name in _NEUTRAL:
        text = f"{jnp}.where({chosen}, {array}, {_NEUTRAL[name]})"
        draft.replace_between(draft.start(node), draft.end(node), text)
        message = f"Leave out with `{jnp}.where`"
    elif name in _WHERE or name in _EXTREMES:
        initial = ""
        if name in _EXTREMES:
            least, limit = _EXTREMES[name]
            number = f"{jnp}.iinfo({array}.dtype).{limit}"
            initial = f", initial={number if INTEGERS in always else least.format(jnp)}"
        text = f"{jnp}.{name}({array}, where={chosen}{initial})"
        draft.replace_between(draft.inner_start(call), draft.inner_end(call), text)
        message = f"Say what counts: `{jnp}.{name}(..., where=...)`"
    else:
        return _kept(draft, node, mask)
    exact = name not in _EXTREMES or FRACTIONS in always or INTEGERS in always
    safe = (WHOLE_MASK in always or _spans(draft, mask, array)) and exact
    return draft.fix(message, Applicability.SAFE if safe else Applicability.UNSAFE)


def _spans(draft: Draft, mask: cst.BaseExpression, array: str) -> bool:
    """Whether a mask has at least the dimensions of an array, as it is made of its elements.

    Then it has just these, for an index cannot have more.
    """
    if isinstance(mask, (cst.Name, cst.Attribute)):
        return dotted(mask) == array
    if isinstance(mask, cst.Comparison):
        inner = [mask.left, *(target.comparator for target in mask.comparisons)]
    elif isinstance(mask, cst.BinaryOperation):
        matrices = isinstance(mask.operator, cst.MatrixMultiply)
        inner = [] if matrices else [mask.left, mask.right]
    elif isinstance(mask, cst.UnaryOperation):
        inner = [mask.expression]
    elif isinstance(mask, cst.Call):
        module, _, name = (dotted(mask.func) or "").rpartition(".")
        elementwise = name in _ELEMENTWISE and module == name_of(draft, "jax.numpy")
        inner = [arg.value for arg in mask.args if arg.keyword is None] if elementwise else []
    else:
        inner = []
    return any(_spans(draft, it, array) for it in inner)


def _replaced(
    draft: Draft, node: cst.Subscript, at: cst.Attribute, mask: cst.BaseExpression
) -> Fix | None:
    """``x.at[mask].set(v)`` becomes ``jnp.where(mask, v, x)``, for one number."""
    method = draft.parent(node)
    call = None if method is None else draft.parent(method)
    if not isinstance(method, cst.Attribute) or not isinstance(call, cst.Call):
        return None
    if call.func is not method or method.attr.value != "set" or len(call.args) != 1:
        return None
    value = call.args[0].value
    number = value.expression if isinstance(value, cst.UnaryOperation) else value
    jnp = name_of(draft, "jax.numpy")
    if jnp is None or not isinstance(number, (cst.Integer, cst.Float)):
        return None
    text = f"{jnp}.where({draft.text(mask)}, {draft.text(value)}, {draft.text(at.value)})"
    draft.replace_between(draft.inner_start(call), draft.inner_end(call), text)
    return draft.fix(f"Choose with `{jnp}.where`", Applicability.UNSAFE)


def _kept(draft: Draft, node: cst.Subscript, mask: cst.BaseExpression) -> Fix | None:
    """Zeros where the mask leaves out: what uses it has to know."""
    jnp = name_of(draft, "jax.numpy")
    if jnp is None or isinstance(draft.parent(node), cst.Del):
        return None
    text = f"{jnp}.where({draft.text(mask)}, {draft.text(node.value)}, 0)"
    draft.replace(node, text)
    return draft.fix(
        "Keep the shape, with zeros where the mask is False", Applicability.DISPLAY_ONLY
    )


def _filled_up(draft: Draft, call: cst.Call, event: DataDependentShape) -> Fix | None:
    """``size=`` of all elements: the result is filled up, which what uses it has to know."""
    name = (dotted(call.func) or "").rpartition(".")[2]
    if event.escape != "size=" or name not in _SIZED or not call.args:
        return None
    last = call.args[0 if name != "extract" and name != "compress" else -1]
    if any(arg.star for arg in call.args) or not isinstance(last.value, (cst.Name, cst.Attribute)):
        return None
    addition = f", size={draft.text(last.value)}.size"
    draft.behind(call.args[-1].value, addition)
    return draft.fix(
        "Fill up to the most that there can be: `size=`, with `fill_value=` if it matters",
        Applicability.DISPLAY_ONLY,
    )

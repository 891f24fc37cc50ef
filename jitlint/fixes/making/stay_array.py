"""JIT105: ``float(x)``, ``x.item()`` and functions of ``math`` stay arrays."""

from __future__ import annotations

import ast
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted
from jitlint.absint.events import Conversion, Event
from jitlint.absint.machine.always import BOOLEANS, FRACTIONS, INTEGERS
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of, qualified_name

#: builtins, and what is known of an array that holds such numbers already
_NUMBERS: Final = {"float": FRACTIONS, "int": INTEGERS, "bool": BOOLEANS, "complex": ""}
_METHODS: Final = frozenset({"item", "tolist"})
#: functions of ``math`` of one or two numbers, by their names in ``jax.numpy``
_UNARY: Final = {
    **{
        name: name
        for name in """acos acosh asin asinh atan atanh cbrt cos cosh degrees exp exp2 expm1
        isfinite isinf isnan log log10 log1p log2 radians sin sinh sqrt tan tanh""".split()
    },
    "fabs": "abs",
}
_BINARY: Final = {
    "atan2": "arctan2", "copysign": "copysign", "fmod": "fmod", "hypot": "hypot", "pow": "power",
}  # fmt: skip
_OLD_NAMES: Final = {
    name: f"arc{name[1:]}" for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh")
}
#: those that give whole numbers in Python
_WHOLE: Final = frozenset({"ceil", "floor", "trunc"})
#: what Python needs a number for
_NEEDS_NUMBERS: Final = (cst.Slice, cst.BaseFormattedStringContent, cst.DictElement)
#: methods whose first argument is hashed or sought
_LOOK_UPS: Final = frozenset({"get", "pop", "setdefault", "index", "count", "remove", "discard"})
_DICTS: Final = (cst.Dict, cst.DictComp)
_AST_DICTS: Final = (ast.Dict, ast.DictComp)
_PRIMARY: Final = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def fix(event: Event) -> Fix | None:
    """Leave the conversion out, or set the dtype; nobody says that the result is used as one."""
    assert isinstance(event, Conversion)
    draft = Draft(event)
    call = draft.node
    if isinstance(call, cst.Attribute):
        outer = draft.parent(call)
        call = outer if isinstance(outer, cst.Call) and outer.func is call else call
    if not isinstance(call, cst.Call) or _is_needed(draft, call):
        return None
    if any(arg.star or arg.keyword is not None for arg in call.args):
        return None
    name = dotted(call.func)
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS:
        if call.args or not event.callee.startswith("."):
            return None
        draft.replace_between(draft.end(call.func.value), draft.inner_end(call), "")
        return _unsafe(draft, f"Leave out `.{call.func.attr.value}()`")
    if name in _NUMBERS and name == event.callee:
        return _number(draft, call, name)
    qualified = qualified_name(draft, name) if name is not None else ""
    if qualified.startswith("math."):
        return _function(draft, call, qualified.removeprefix("math."))
    return None


def _is_needed(draft: Draft, call: cst.Call) -> bool:
    """Whether Python needs the number at once."""
    outer = draft.parent(call)
    if isinstance(outer, cst.Arg):
        around = draft.parent(outer)
        if not isinstance(around, cst.Call):
            return False
        if isinstance(around.func, cst.Attribute):
            return around.func.attr.value in _LOOK_UPS
        name = dotted(around.func)
        return name == "range" or (name == "zip" and _makes_keys(draft, around))
    if isinstance(outer, cst.Index):
        element = draft.parent(outer)
        subscript = None if element is None else draft.parent(element)
        return isinstance(subscript, cst.Subscript) and _is_dict(draft, subscript.value)
    return isinstance(outer, _NEEDS_NUMBERS)


def _makes_keys(draft: Draft, pairs: cst.Call) -> bool:
    """Whether ``zip`` is what a dictionary is made of."""
    arg = draft.parent(pairs)
    outer = None if arg is None else draft.parent(arg)
    return isinstance(outer, cst.Call) and dotted(outer.func) == "dict"


def _is_dict(draft: Draft, container: cst.BaseExpression) -> bool:
    """Whether something is written as a dictionary where it is bound."""
    if isinstance(container, _DICTS):
        return True
    if not isinstance(container, cst.Name):
        return False
    function = draft.function
    if function is not None and container.value in function.bound_names:
        bound = (node for node in function.own_nodes if isinstance(node, cst.Assign))
        return any(
            isinstance(it.value, _DICTS) and dotted(it.targets[0].target) == container.value
            for it in bound
        )
    units = [it.unit.node for it in draft.module.bindings.get(container.value, ())]
    return any(isinstance(it, ast.Assign) and isinstance(it.value, _AST_DICTS) for it in units)


def _number(draft: Draft, call: cst.Call, name: str) -> Fix | None:
    shadowed = draft.binds_around(name) or name in draft.module.bindings
    if len(call.args) != 1 or isinstance(call.args[0].comma, cst.Comma) or shadowed:
        return None
    value = call.args[0].value
    known = _NUMBERS[name] in draft.event.always
    ending = "" if known else f".astype({name})"
    if isinstance(value, _PRIMARY):
        draft.replace_between(draft.inner_start(call), draft.start(value), "")
        draft.replace_between(draft.end(value), draft.inner_end(call), ending)
    else:
        # The brackets of the call stay those of the operand.
        draft.replace(call.func, "")
        if ending:
            draft.insert(draft.inner_end(call), ending)
    return _unsafe(draft, f"Leave out `{name}`" if known else f"Use `{ending}`")


def _function(draft: Draft, call: cst.Call, name: str) -> Fix | None:
    twins = _UNARY if len(call.args) == 1 else _BINARY if len(call.args) == 2 else {}
    twin = _OLD_NAMES.get(name) or twins.get(name)
    whole = name in _WHOLE and len(call.args) == 1
    jnp = name_of(draft, "jax.numpy") if twin or whole else None
    if jnp is None:
        return None
    draft.replace(call.func, f"{jnp}.{name if whole else twin}")
    if whole:
        draft.insert(draft.inner_end(call), ".astype(int)")
    return _unsafe(draft, f"Use `{jnp}.{name if whole else twin}`")


def _unsafe(draft: Draft, message: str) -> Fix | None:
    return draft.fix(message, Applicability.UNSAFE)

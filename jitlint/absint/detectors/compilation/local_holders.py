"""Dicts and objects that a function makes for itself: what they keep ends with the call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.detectors.surroundings.written import bound_to
from jitlint.absint.values.domain import Class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jitlint.absint.code.functions import Place
    from jitlint.absint.machine.interpreter import Interpreter

#: what holds something else under a name or a key
_Part = cst.Attribute | cst.Subscript


def is_held_here(it: Interpreter, place: Place) -> bool:
    """Whether what a call makes is kept by nothing but an object that the running function made.

    ``steps = {"fit": jax.jit(fit)}`` with ``steps["fit"](x)``: if that is all that is done with
    ``steps``, the next call of the function makes another one.

    Args:
      it: the interpreter.
      place: the call whose result is kept.
    """
    code, parsed = it.frame.code, it.frame.parsed
    if code is None or code.node is None or place.parsed is not parsed:
        return False
    above = parsed.above(place.node)
    around = next(above, None)
    if isinstance(around, cst.DictElement):
        next(above)
        around = next(above, None)
        name = _only_target(around, cst.Name)
    else:
        part = _only_target(around, cst.Attribute, cst.Subscript)
        name = part.value if isinstance(part, _Part) else None
    if not isinstance(name, cst.Name) or name.value not in code.bound_names:
        return False
    made = [*bound_to(it.frame, name.value)]
    return (
        len(made) == 1
        and _is_new(it, made[0])
        and all(_is_call_of_part(parsed.above(use), use) for use in _uses(code.node, name.value))
    )


def _only_target(
    node: cst.CSTNode | None, *kinds: type[cst.BaseExpression]
) -> cst.BaseExpression | None:
    """What a statement binds or sets, if that is one thing of some kinds."""
    if not isinstance(node, cst.Assign) or len(node.targets) != 1:
        return None
    target = node.targets[0].target
    return target if isinstance(target, kinds) else None


def _is_new(it: Interpreter, value: cst.CSTNode) -> bool:
    """Whether an expression makes a dict, or an object of a class of the project."""
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Name):
        return isinstance(it.look_up(value.func.value), Class)
    return isinstance(value, cst.Dict)


def _uses(function: cst.CSTNode, name: str) -> Iterator[cst.Name]:
    for node in walk(function):
        if isinstance(node, cst.Name) and node.value == name:
            yield node


def _is_call_of_part(above: Iterator[cst.CSTNode], use: cst.Name) -> bool:
    """Whether a name stands where it is bound, where a part of it is set, or one is called."""
    part = next(above)
    if isinstance(part, cst.AssignTarget):
        return True
    if not isinstance(part, _Part) or part.value is not use:
        # The name of an attribute or keyword is no use of the variable.
        return isinstance(part, cst.Attribute | cst.Arg) and getattr(part, "value", None) is not use
    outer = next(above)
    return isinstance(outer, cst.AssignTarget) or (
        isinstance(outer, cst.Call) and outer.func is part
    )

"""Numbers in the fields of objects that a loop makes: ``state = State(params, state.step + 1)``."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from jitlint.absint.code.syntax import called_name, dotted
from jitlint.absint.detectors.compilation.counted_numbers import is_few, makes_new
from jitlint.absint.detectors.surroundings.paths import lasting_loops
from jitlint.absint.detectors.surroundings.written import bindings, meanings
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import Class


def is_counted(it: Interpreter, field: str, node: cst.BaseExpression) -> bool:
    """Whether a field of an object holds another number in every turn of a loop around.

    Args:
      it: the interpreter, where the object is used.
      field: the name of the field.
      node: the object, as it is written there.
    """
    if not isinstance(node, (cst.Name, cst.Call)) or not it.frame.enclosing_loops:
        return False
    path = f"{node.value}.{field}" if isinstance(node, cst.Name) else field
    for depth, loop in enumerate(lasting_loops(it.frame, node)):
        given = [
            value
            for made in _made_in(loop, node)
            if isinstance(made, cst.Call)
            for value in _given(it, made, field)
        ]
        if given and not is_few(it, loop):
            return all(
                any(
                    makes_new(it, loop, made, outermost=not depth) or _goes_on(made, path)
                    for made in meanings(it.frame, value)
                )
                for value in given
            )
    return False


def _made_in(loop: cst.CSTNode, node: cst.Name | cst.Call) -> Iterator[cst.CSTNode | None]:
    """What a loop makes an object of: the call itself, or those that it gives a name."""
    if isinstance(node, cst.Call):
        yield node
        return
    for target, made in bindings(loop):
        if isinstance(target, cst.Name) and target.value == node.value:
            yield made


def _given(it: Interpreter, call: cst.Call, field: str) -> Iterator[cst.BaseExpression]:
    """What a call that makes an object, or a copy of one, gives a field."""
    args = [arg.value for arg in call.args if arg.keyword is None]
    if called_name(call) == "tree_at":
        # `eqx.tree_at(lambda state: state.step, state, value)`
        where = args[0].body if len(args) == 3 and isinstance(args[0], cst.Lambda) else None
        if isinstance(where, cst.Attribute) and where.attr.value == field:
            yield args[2]
        return
    named = [arg.value for arg in call.args if arg.keyword and arg.keyword.value == field]
    if named:
        yield from named
        return
    if dotted(call.func) is None:
        return
    with it.speculating():
        cls = it.ev(call.func)
    if not isinstance(cls, Class):
        return
    names = [made.name for made in class_info(it, cls).fields]
    if field in names and names.index(field) < len(args):
        yield args[names.index(field)]


def _goes_on(value: cst.BaseExpression, path: str) -> bool:
    """Whether an expression is what was there before, and a number more: ``state.step + 1``."""
    return (
        isinstance(value, cst.BinaryOperation)
        and isinstance(value.operator, (cst.Add, cst.Subtract))
        and isinstance(value.right, (cst.Integer, cst.Float))
        and dotted(value.left) == path
    )

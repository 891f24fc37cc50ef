"""``ω`` of Equinox: operators on pytrees, ``(x**ω + y**ω).ω``.

They map the operator over the leaves, as observed under Equinox 0.13.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call, method, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.operations.operators import METHODS, UNARY, overloads
from jitlint.absint.values.domain import (
    UNKNOWN,
    Const,
    External,
    ExternalInstance,
    Partial,
    Tuple,
    Value,
)

_OMEGA: Final = "equinox.internal.ω"
#: functions of ``operator`` whose names differ from those of the special methods
_NAMES: Final = {"and": "and_", "or": "or_"}


@model(_OMEGA)
def _wrapped(it: Interpreter, call: Call) -> Value:
    return _wrap(call.first)


def _wrap(tree: Value) -> Value:
    return ExternalInstance(_OMEGA, (("ω", tree),))


def _held(value: Value) -> Value | None:
    """The tree that is wrapped, None for anything else."""
    if isinstance(value, ExternalInstance) and value.cls == _OMEGA:
        return dict(value.attributes)["ω"]
    return None


@overloads(_OMEGA)
def _operate(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    if right == External(_OMEGA):
        return _wrap(left) if op is cst.Power else UNKNOWN
    mine, other = _held(left), _held(right)
    if op is cst.Subscript:
        getter = Partial(External("jitlint.itemgetter"), (Tuple((right,)),), ())
        trees = [mine or UNKNOWN]
        return _mapped(it, getter, trees, node)
    if op in UNARY:
        # Of the kind and type of what is multiplied by one.
        op, left, mine, other = cst.Multiply, Const(1), None, mine
    name = METHODS.get(op, "")
    function = External(f"operator.{_NAMES.get(name, name)}")
    if mine is not None and other is not None:
        return _mapped(it, function, [mine, other], node)
    tree, number = (other, left) if mine is None else (mine, right)
    # A number on the right is taken for one on the left: what comes of it is of the same kind.
    return _mapped(it, Partial(function, (number,), ()), [tree or UNKNOWN], node)


@method(_OMEGA, "call")
def _call(it: Interpreter, call: Call) -> Value:
    return _mapped(it, call.first, [_held(call.receiver) or UNKNOWN], call.node)


def _mapped(it: Interpreter, function: Value, trees: list[Value], node: cst.CSTNode) -> Value:
    return _wrap(it.call(External("jax.tree.map"), Arguments([function, *trees]), node))

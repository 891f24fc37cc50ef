"""Derivatives: what ``jvp``, ``vjp`` and ``linearize`` give, and calls of what ``grad`` made."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, find_traced
from jitlint.absint.program.traced_values import traced_argument
from jitlint.absint.transforms.kinds import kind
from jitlint.absint.transforms.traces import enter, outside
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
    Level,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.statics import constant
from jitlint.jaxmodel.transforms import Transform


@kind("jvp")
def _jvp(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fun")
    primals = args.get(1, "primals")
    if function is None or primals is None:
        return UNKNOWN
    result: Value = UNKNOWN
    _, items = it.iterate(primals, node)
    if items is not None:
        operands = [_primal(it, item, node) for item in items]
        result = outside(it, enter(it, row, function, operands, node), args)
    return Tuple((result, result))


@kind("vjp", "linearize")
def _vjp(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fun")
    if function is None:
        return UNKNOWN
    operands = [_primal(it, value, node) for value in args.positional[1:]]
    result = outside(it, enter(it, row, function, operands, node), args)
    if args.keywords.get("has_aux") == Const(True):
        return UNKNOWN
    return Tuple((result, ExternalInstance("jitlint.callable", (("gives", Const("unknown")),))))


def _primal(it: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    level = Level.ABSTRACT if find_traced(it, value) is not None else Level.VALUE
    return traced_argument(it, value, level, origin=it.origin(node, "a primal"))


def gradient(
    it: Interpreter, function: Transformed, args: Arguments, result: Value, node: cst.CSTNode
) -> Value:
    """What a function gives that ``grad`` or one of its family made.

    Args:
      it: the interpreter.
      function: what the transform made.
      args: what it is called with.
      result: what the function under it gave; Unknown to leave out its auxiliary output.
      node: the call.
    """
    numbers = constant(function.option("argnums")) if function.option("argnums") else 0
    if isinstance(numbers, int):
        found = _like(it, args.get(numbers, ""), args, node)
    elif isinstance(numbers, tuple):
        found = Tuple(tuple(_like(it, args.get(n, ""), args, node) for n in numbers))
    else:
        found = UNKNOWN
    if function.option("has_aux") == Const(True) and result != UNKNOWN:
        aux = result.items[1] if isinstance(result, Tuple) and len(result.items) == 2 else UNKNOWN
        return Tuple((found, aux))
    return found


def _like(it: Interpreter, operand: Value | None, args: Arguments, node: cst.CSTNode) -> Value:
    """The gradient with respect to one operand."""
    array = array_result(it, args.values(), node=node)
    if operand is None or operand == UNKNOWN:
        if array.level is Level.ABSTRACT:
            return Tree(array.level, certainty=array.certainty, origin=array.origin)
        return UNKNOWN
    if isinstance(operand, (Const, Static, Array)):
        return array
    if isinstance(operand, Tree):
        return operand.replace(level=max(array.level, operand.level))
    return traced_argument(it, operand, array.level)

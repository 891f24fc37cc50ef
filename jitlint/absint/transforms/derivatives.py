"""Derivatives: what ``jvp``, ``vjp`` and ``linearize`` give, and calls of what ``grad`` made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import TransformedCalled
from jitlint.absint.machine.tracers import array_result, find_traced
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.traces.kinds import kind
from jitlint.absint.traces.opaque import traced_throughout
from jitlint.absint.traces.running import enter, outside
from jitlint.absint.values.domain import (
    FALSE,
    UNKNOWN,
    Array,
    Const,
    External,
    Level,
    Partial,
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
    element, items = it.iterate(primals, node)
    given = Arguments(star=element) if items is None else Arguments(list(items))
    result, *aux = _linearized(it, row, function, given, args, node)
    return Tuple((result, result, *aux))


@kind("vjp", "linearize")
def _vjp(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fun")
    if function is None:
        return UNKNOWN
    primals = args.dropped(1)
    primals.keywords = {}
    result, *aux = _linearized(it, row, function, primals, args, node)
    like = Tuple(tuple(primals.positional)) if row.kind == "vjp" else result
    if primals.star is not None:
        like = UNKNOWN
    made = Partial(External(f"jitlint.{row.kind}"), (like,), (), pytree=True)
    it.made_here(made)
    return Tuple((result, made, *aux))


def _linearized(
    it: Interpreter,
    row: Transform,
    function: Value,
    primals: Arguments,
    args: Arguments,
    node: cst.CSTNode,
) -> Sequence[Value]:
    """What a function gives at some primals, and its auxiliary output where it has one."""
    if it.trace is None and isinstance(function, Transformed):
        # It is called by what differentiates it.
        it.signal(TransformedCalled(function))
    operands = [_primal(it, row, value, node) for value in primals.positional]
    star = None if primals.star is None else _primal(it, row, primals.star, node)
    result = outside(it, enter(it, row, function, operands, node, star), args)
    if args.keywords.get("has_aux", FALSE) == FALSE:
        return (traced_throughout(it, result, node, row.name),)
    value, aux = result.items if isinstance(result, Tuple) and len(result.items) == 2 else _PAIR
    return traced_throughout(it, value, node, row.name), aux


_PAIR: Final = (UNKNOWN, UNKNOWN)


@model("jitlint.vjp", "jitlint.linearize")
def _linear_map(it: Interpreter, call: Call) -> Value:
    """What ``vjp`` and ``linearize`` give besides: its result is like something that is known."""
    like = traced_argument(it, call.first, Level.ABSTRACT)
    return like if it.frame.context.staging else UNKNOWN


def _primal(it: Interpreter, row: Transform, value: Value, node: cst.CSTNode) -> Value:
    level = Level.ABSTRACT if find_traced(it, value) is not None else Level.VALUE
    origin = it.origin(node, "a primal")
    return traced_argument(it, value, level, leaves=row.leaves, origin=origin)


def gradient(it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode) -> Value:
    """The derivatives that a function gives which ``grad`` or one of its family made.

    Args:
      it: the interpreter.
      function: what the transform made.
      args: what it is called with.
      node: the call.
    """
    numbers = constant(function.option("argnums")) if function.option("argnums") else 0
    if isinstance(numbers, int):
        return _like(it, args.get(numbers, ""), args, node)
    if isinstance(numbers, tuple):
        return Tuple(tuple(_like(it, args.get(n, ""), args, node) for n in numbers))
    return UNKNOWN


def with_aux(function: Transformed, derivatives: Value, result: Value) -> Value:
    """Derivatives, and the auxiliary output of the function where it was asked for.

    Args:
      function: what the transform made.
      derivatives: with respect to the arguments.
      result: what the function under the transform gave.
    """
    asked = function.option("has_aux")
    if asked is None or asked == Const(False):
        return derivatives
    if asked != Const(True):
        return UNKNOWN
    aux = result.items[1] if isinstance(result, Tuple) and len(result.items) == 2 else UNKNOWN
    return Tuple((derivatives, aux))


def _like(it: Interpreter, operand: Value | None, args: Arguments, node: cst.CSTNode) -> Value:
    """The gradient with respect to one operand."""
    array = array_result(it, args.values(), node=node)
    if operand is None or operand == UNKNOWN:
        if array.level is Level.ABSTRACT:
            return Tree(array.level, certainty=array.certainty, origin=array.origin)
        return UNKNOWN
    if isinstance(operand, Array):
        return array if array.level is Level.CONCRETE else array.replace(buffers=operand.buffers)
    if isinstance(operand, (Const, Static)):
        return array
    if isinstance(operand, Tree):
        return operand.replace(level=max(array.level, operand.level), buffers=operand.buffers)
    return traced_argument(it, operand, array.level)

"""Control flow that traces every one of several functions."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.traces.kinds import kind
from jitlint.absint.traces.operands import traced_operand, traced_operands
from jitlint.absint.traces.running import enter, outside
from jitlint.absint.values.domain import UNKNOWN, External, Level, Value, base_function, members_of
from jitlint.absint.values.forwarding import forwarded_operands
from jitlint.absint.values.statics import python_type
from jitlint.absint.values.structures import join_alike
from jitlint.jaxmodel.transforms import Transform


@kind("cond", eager=True)
def _cond(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    if _has_operand_for_each(args):
        return _cond_of_pairs(it, row, args, node)
    given = args.positional[3:]
    operands = traced_operands(it, args, 3, node, "an operand of the branches", row)
    if "operand" in args.keywords:
        given = [args.keywords["operand"]]
        operands = [traced_operand(it, given[0], node, "the operand of the branches", row)]
    functions = [args.get(1, "true_fun"), args.get(2, "false_fun")]
    results = _traced_in_turn(it, row, [f for f in functions if f is not None], operands, node)
    return outside(it, _chosen(it, results, given), args)


def _traced_in_turn(
    it: Interpreter, row: Transform, each: Sequence[Value], on: Sequence[Value], node: cst.CSTNode
) -> list[Value]:
    """What functions give; a text raises before the next is traced (seen under JAX 0.10.2)."""
    results: list[Value] = []
    for function in each:
        results.append(enter(it, row, function, on, node))
        if python_type(results[-1]) in ("str", "bytes"):
            break
    return results


def _has_operand_for_each(args: Arguments) -> bool:
    """``cond(pred, x, true_fun, y, false_fun)``, as JAX tells it from the other form."""
    if len(args.positional) != 5 or args.keywords or args.star is not None:
        return False
    first, last = (
        base_function(args.positional[index]) is not None
        or isinstance(args.positional[index], External)
        for index in (1, 4)
    )
    return last and not first


def _cond_of_pairs(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """Each function is given the operand before it."""
    results = []
    for index in (1, 3):
        operand, function = args.positional[index : index + 2]
        place = args.node(index, "") or node
        inside = traced_operand(it, operand, place, "the operand of a branch", row)
        results.append(enter(it, row, function, [inside], node))
    return outside(it, _chosen(it, results, ()), args)


@kind("switch", eager=True)
def _switch(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    branches = args.get(1, "branches")
    operands = traced_operands(it, args, 2, node, "an operand of the branches", row)
    if branches is None:
        return UNKNOWN
    results = _traced_in_turn(it, row, _functions(it, branches, node), operands, node)
    return outside(it, _chosen(it, results, args.positional[2:]), args)


def _chosen(it: Interpreter, results: Sequence[Value], given: Sequence[Value]) -> Value:
    """What a choice between functions gives, all of which are traced."""
    traced = [traced_argument(it, result, Level.ABSTRACT) for result in results]
    joined = functools.reduce(join_alike, traced) if traced else UNKNOWN
    return joined if it.trace is None else forwarded_operands(joined, results, given)


@kind("piecewise")
def _piecewise(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    x = traced_operand(it, args.get(0, "x"), node, "the operand of the pieces")
    functions = args.get(2, "funclist")
    if functions is not None:
        for function in _functions(it, functions, node):
            if base_function(function) is not None:
                enter(it, row, function, [x], node)
    return array_result(it, args.positional[:1], node=node)


def _functions(it: Interpreter, value: Value, node: cst.CSTNode) -> Sequence[Value]:
    """The functions of a sequence, as far as they are known."""
    element, items = it.iterate(value, node)
    return members_of(element) if items is None else items

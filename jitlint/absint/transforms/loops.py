"""Control flow that traces one body for many iterations."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from jitlint.absint.events import StaticParameter
from jitlint.absint.limits import CARRIED
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import comparable_tracer
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.traces.kinds import kind
from jitlint.absint.traces.operands import element, stacked, traced_operand
from jitlint.absint.traces.running import enter, outside
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Level,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.forwarding import forwarded_carry, forwarded_operands
from jitlint.absint.values.structures import join_alike
from jitlint.jaxmodel.transforms import Transform


def _iterate(it: Interpreter, carry: Value, body: Callable[[Value], Value]) -> tuple[Value, Value]:
    """Run the body of a loop until its carry changes no more.

    Args:
      it: the interpreter.
      carry: the initial carry, every leaf a tracer.
      body: gives the next carry; Unknown ends the loop.

    Returns:
      The carry, of the structure of the initial one and with the facts of all iterations, and what
      the last one gave.
    """
    result: Value = UNKNOWN
    initial = carry
    for _ in range(CARRIED):
        result = body(carry)
        merged = join_alike(carry, traced_argument(it, result, Level.ABSTRACT))
        if merged == carry or result == UNKNOWN or isinstance(merged, Union):
            break
        carry = merged
    return _of_type(carry, initial), result


def _of_type(carry: Value, initial: Value) -> Value:
    """The final carry: JAX sees to it that its leaves are of the shapes of the initial one."""
    if isinstance(carry, (Array, Tree)) and isinstance(initial, (Array, Tree)):
        return carry.replace(buffers=initial.buffers)
    if isinstance(carry, Tuple) and isinstance(initial, Tuple):
        pairs = zip(carry.items, initial.items, strict=False)
        if len(carry.items) == len(initial.items):
            return Tuple(tuple(_of_type(*pair) for pair in pairs), carry.cls)
    return carry


@kind("scan", loops=True, eager=True)
def _scan(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f")
    init = args.get(1, "init")
    xs = args.get(2, "xs")
    if function is None:
        return UNKNOWN
    _check_scan_options(it, args, node)
    carry = traced_operand(it, init, args.node(1, "init") or node, "the carry", row)
    x = NONE if xs is None else element(it, xs, args.node(2, "xs") or node)
    ys: Value = UNKNOWN

    def body(carry: Value) -> Value:
        nonlocal ys
        pair = enter(it, row, function, [carry, x], node)
        if not (isinstance(pair, Tuple) and len(pair.items) == 2):
            return UNKNOWN
        following, ys = pair.items
        return following

    carry, result = _iterate(it, carry, body)
    made = stacked(it, ys, node, row.name)
    if it.trace is not None:
        carry = forwarded_carry(carry, result, init or UNKNOWN, (0,))
        made = forwarded_operands(made, [ys], [None, xs])
    return outside(it, Tuple((carry, made)), args)


def _check_scan_options(it: Interpreter, args: Arguments, node: cst.CSTNode) -> None:
    for index, name in ((3, "length"), (5, "unroll")):
        value = args.get(index, name)
        traced = comparable_tracer(value) if value is not None else None
        if traced is not None:
            it.emit(
                StaticParameter,
                node,
                traced,
                operand=args.node(index, name) or node,
                exceptions=("jax.errors.ConcretizationTypeError", "TypeError"),
                callee=it.text(node.func) if isinstance(node, cst.Call) else "jax.lax.scan",
                parameter=name,
            )


@kind("while", loops=True, eager=True)
def _while(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    condition = args.get(0, "cond_fun")
    function = args.get(1, "body_fun")
    init = args.get(2, "init_val")

    def body(carry: Value) -> Value:
        if condition is not None:
            enter(it, row, condition, [carry], node)
        return UNKNOWN if function is None else enter(it, row, function, [carry], node)

    carry = traced_operand(it, init, args.node(2, "init_val") or node, "the carry", row)
    carry, result = _iterate(it, carry, body)
    if it.trace is not None:
        # Whether the condition uses a leaf is not known: what is forwarded may be a tracer or not.
        carry = forwarded_carry(carry, result, init or UNKNOWN, (0,), certain=False)
    return outside(it, carry, args)


@kind("fori", loops=True, eager=True)
def _fori(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(2, "body_fun")
    init = args.get(3, "init_val")
    origin = it.origin(node, "the loop index of fori_loop")
    index = Array(Level.ABSTRACT, dtype="int", rank=0, origin=origin)

    def body(carry: Value) -> Value:
        return UNKNOWN if function is None else enter(it, row, function, [index, carry], node)

    carry = traced_operand(it, init, args.node(3, "init_val") or node, "the carry", row)
    carry, result = _iterate(it, carry, body)
    if it.trace is not None:
        carry = forwarded_carry(carry, result, init or UNKNOWN, (1,))
    return outside(it, carry, args)


@kind("map", loops=True, eager=True)
def _map(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f")
    xs = args.get(1, "xs")
    if function is None or xs is None:
        return UNKNOWN
    result = enter(it, row, function, [element(it, xs, args.node(1, "xs") or node)], node)
    made = stacked(it, result, node, row.name)
    if it.trace is not None:
        made = forwarded_operands(made, [result], [xs])
    return outside(it, made, args)


@kind("associative_scan", loops=True)
def _associative_scan(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fn")
    elements = args.get(1, "elems")
    if function is None or elements is None:
        return UNKNOWN
    enter(it, row, function, [elements, elements], node)
    return elements

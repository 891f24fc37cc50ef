"""What the body of control flow is given, and what is made of its results."""

from __future__ import annotations

from types import NoneType

import libcst as cst

from jitlint.absint.limits import ARGUMENT_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import OperandPassed
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.traces.opaque import traced_throughout
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Level,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import SetObject
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.traversal import parts_of, rebuilt
from jitlint.jaxmodel.transforms import Transform


def traced_operand(
    it: Interpreter,
    value: Value | None,
    node: cst.CSTNode,
    note: str,
    row: Transform | None = None,
) -> Value:
    """An operand as a body sees it: every leaf a tracer.

    Args:
      it: the interpreter.
      value: the operand, None if it was not visibly passed.
      node: where it stands.
      note: what it is, for explanations.
      row: the transform, which may leave what is no array as it is.
    """
    if value is None:
        value = UNKNOWN
    elif row is not None and row.name.startswith("jax.lax."):
        # Equinox' own loops keep what is no array out of the trace.
        it.signal(OperandPassed(value, node, note))
    origin = it.origin(node, note)
    if isinstance(value, (Array, Tree)) and value.level is Level.ABSTRACT and value.origin:
        origin = value.origin
    leaves = row.leaves if row is not None else "leaves"
    return traced_argument(it, value, Level.ABSTRACT, leaves=leaves, origin=origin)


def traced_operands(
    it: Interpreter,
    args: Arguments,
    start: int,
    node: cst.CSTNode,
    note: str,
    row: Transform | None = None,
) -> list[Value]:
    """The positional arguments from ``start`` on, each as a body sees it."""
    return [
        traced_operand(it, value, args.node(index, "") or node, note, row)
        for index, value in enumerate(args.positional[start:], start)
    ]


def element(it: Interpreter, xs: Value, node: cst.CSTNode) -> Value:
    """One slice of the scanned operands, every leaf a tracer."""
    if xs == NONE:
        return NONE
    return _unranked(traced_operand(it, xs, node, "an element of the scanned values"))


def _unranked(value: Value) -> Value:
    if isinstance(value, Array):
        rank = None if not value.rank else value.rank - 1
        return value.replace(rank=rank, python_type=None)
    return rebuilt(value, _unranked) if isinstance(value, Tuple) else value


def stacked(it: Interpreter, value: Value, node: cst.CSTNode, transform: str) -> Value:
    """The results of all iterations of a loop of JAX, given that of one."""
    if value == UNKNOWN:
        return traced_throughout(it, value, node, transform)
    if isinstance(value, Array):
        return value.replace(rank=None)
    if isinstance(value, Tuple):
        return rebuilt(value, lambda item: stacked(it, item, node, transform))
    if isinstance(value, (Const, Static)) and value != NONE:
        return array_result(it, (), node=node)
    return value


def owned(
    it: Interpreter, value: Value, path: tuple[int, ...] | None = None, depth: int = ARGUMENT_LEVELS
) -> Value:
    """An operand as one of the current trace: JAX makes new tracers, in new containers.

    Args:
      it: the interpreter.
      value: the operand.
      path: where the body gets it, None in an object that may change.
      depth: levels of nested containers that are still looked into.
    """
    if isinstance(value, Array):
        return value.replace(trace=it.trace_number, operand=path, buffers=value.buffers)
    if isinstance(value, Tree):
        return value.replace(operand=path, buffers=value.buffers)
    if depth == 0:
        return value
    if isinstance(value, Tuple):
        items = (
            owned(it, item, None if path is None else (*path, index), depth - 1)
            for index, item in enumerate(value.items)
        )
        return Tuple(tuple(items), value.cls)
    if isinstance(value, Union):
        return join_all(owned(it, member, None, depth - 1) for member in value.members)
    if isinstance(value, Ref):
        contents = it.contents(value)
        if value.id not in it.defaults and not isinstance(contents, (SetObject, NoneType)):
            it.made_in[value.id] = it.trace_number
        for part in parts_of(contents):
            if isinstance(part, (Ref, Union, Tuple)):
                owned(it, part, None, depth - 1)
    return value

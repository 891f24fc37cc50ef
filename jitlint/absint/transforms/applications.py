"""Entry points that call a function at once on the operands that they are given."""

from __future__ import annotations

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, find_traced
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.traces.kinds import kind
from jitlint.absint.traces.operands import traced_operands
from jitlint.absint.traces.running import enter
from jitlint.absint.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    External,
    ExternalInstance,
    Level,
    Ref,
    Tree,
    Tuple,
    Value,
)
from jitlint.jaxmodel.transforms import Transform


@kind("apply")
def _apply(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fun")
    if function is None:
        return UNKNOWN
    operands = traced_operands(it, args, 1, node, "an argument of the traced function", row)
    if row.gives == "static" and it.is_fresh(function):
        # A new function is traced again each time that this runs.
        row = replace(row, cached=False)
    result = enter(it, row, function, operands, node)
    if row.gives == "static":
        # Shapes and dtypes, nothing traced.
        return UNKNOWN if isinstance(result, (Tuple, Ref)) else STATIC
    if row.gives == "function":
        return function
    return result if row.gives == "same" else UNKNOWN


@kind("reduce")
def _reduce(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(2, "computation")
    if function is not None and not isinstance(function, External):
        operand = Array(Level.ABSTRACT, origin=it.origin(node, "an operand of the reduction"))
        enter(it, row, function, [operand, operand], node)
    return array_result(it, args.positional[:1], node=node)


@kind("apply_along_axis")
def _along_axis(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``apply_along_axis`` maps a 2-d array by vmap; a 1-d one is passed as it is."""
    operand = args.get(2, "arr") or UNKNOWN
    function = args.get(0, "func1d")
    if function is not None and find_traced(it, operand) is not None:
        enter(it, row, function, [operand], node)
    return array_result(it, [operand], node=node)


@kind("fromfunction")
def _fromfunction(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "function")
    shape = args.get(1, "shape")
    found = sequence_items(it, shape) if shape is not None else None
    if function is not None and found is not None and found[1] is not None:
        index = Array(Level.ABSTRACT, rank=0, origin=it.origin(node, "an index array"))
        enter(it, row, function, [index for _ in found[1]], node)
    return array_result(it, (), node=node)


@kind("kernel")
def _kernel(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """A kernel reads and writes references to memory: nothing of it is looked at."""
    return UNKNOWN


@kind("host")
def _host(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """A callback: it runs outside the trace on real arrays, nothing in it is hostile."""
    if row.name in ("jax.pure_callback", "jax.experimental.io_callback"):
        shapes = args.get(1, "result_shape_dtypes")
        array = array_result(it, (), node=node)
        if isinstance(shapes, (ExternalInstance, Array)):
            return array
        return Tree(array.level, origin=array.origin)
    if row.name == "jax.experimental.host_callback.id_tap":
        return args.get(2, "result") or args.get(1, "arg") or UNKNOWN
    if row.name == "jax.experimental.host_callback.call":
        return UNKNOWN if args.get(2, "result_shape") is None else array_result(it, (), node=node)
    return NONE if row.name == "jax.debug.callback" else UNKNOWN

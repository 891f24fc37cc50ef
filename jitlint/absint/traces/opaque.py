"""What comes out of a trace, whatever is known of the function that was traced.

Within ``jax.jit`` every leaf that a compiled, mapped or recomputed function gives is a tracer, and
so is every derivative, even of a function of which nothing is known; observed under JAX 0.10.2.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Certainty,
    Const,
    Level,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.traversal import rebuilt
from jitlint.jaxmodel.transforms import Transform
from jitlint.jaxmodel.wording import display_name

#: which of its arguments a transform traces, where all that it gives is traced: others hand on what
#: is no array
_GIVES_TRACERS: Final = frozenset({"leaves", "in_axes", "in_specs"})


def is_opaque(function: Value) -> bool:
    """Whether nothing is known of what is transformed, which may be a function."""
    return function == UNKNOWN or (isinstance(function, Static) and function.type is None)


def _is_unknown(value: Value) -> bool:
    """Whether nothing is known of a result, but perhaps that it was computed from a tracer."""
    return value == UNKNOWN or (isinstance(value, Tree) and value.certainty is Certainty.GUESS)


def certain_result(
    it: Interpreter, made: Transformed, row: Transform, result: Value, node: cst.CSTNode
) -> Value:
    """What a transformed function gives: traced also where it is not known.

    Args:
      it: the interpreter.
      made: what the transform made.
      row: the transform.
      result: what the function under it gave, as far as that is known.
      node: the call.
    """
    if row.kind != "wrap" or not row.abstract or row.traces not in _GIVES_TRACERS:
        return result
    if row.traces == "in_axes" and made.option("out_axes") not in (None, Const(0)):
        # What has no axis to be mapped over is handed on as it is: no mapped tracer is in it.
        return UNKNOWN if _is_unknown(result) else result
    return traced_throughout(it, result, node, row.name)


def traced_throughout(it: Interpreter, value: Value, node: cst.CSTNode, transform: str) -> Value:
    """A value of whose leaves each is a tracer, if the code around is traced.

    Args:
      it: the interpreter.
      value: the value, as far as it is known.
      node: what gives it.
      transform: the entry point that made its leaves tracers.
    """
    if not it.frame.context.staging:
        return value
    origin = it.origin(node, f"{display_name(transform)} gives traced values here")

    def filled(part: Value) -> Value:
        if _is_unknown(part):
            return Tree(Level.ABSTRACT, origin=origin)
        return rebuilt(part, filled) if isinstance(part, Tuple) else part

    return filled(value)


def differentiated(it: Interpreter, result: Value, aux: Value | None, node: cst.CSTNode) -> Value:
    """The value of a function that was differentiated, which is a single number.

    Args:
      it: the interpreter.
      result: what the function gave, as far as that is known.
      aux: whether it gives more besides (``has_aux``), None if that was not said.
      node: the call.
    """
    if not it.frame.context.staging:
        return result
    if aux is None or aux == Const(False):
        return _number(it, node) if _is_unknown(result) else result
    if aux != Const(True):
        return result
    parts = result.items if isinstance(result, Tuple) and len(result.items) == 2 else None
    value, rest = (UNKNOWN, UNKNOWN) if parts is None else parts
    return Tuple((_number(it, node) if _is_unknown(value) else value, rest))


def _number(it: Interpreter, node: cst.CSTNode) -> Array:
    origin = it.origin(node, "the value of a function that is differentiated")
    return Array(Level.ABSTRACT, dtype="float", rank=0, origin=origin, trace=it.trace_number)

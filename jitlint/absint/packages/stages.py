"""Programs that are compiled ahead of their calls: ``jitted.lower(x).compile()``.

What is compiled is called without the static arguments, compiles nothing more, and returns before
its work is done, as a call of the function itself does.  Observed under JAX 0.10.2.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, method
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    REPORTED,
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.traversal import rebuilt
from jitlint.jaxmodel.transforms import COMPILED, COMPILING

_TRACED: Final = "jax.stages.Traced"
_LOWERED: Final = "jax.stages.Lowered"
#: what a stage keeps: the function, and its result
FUNCTION: Final = "<function>"
RESULT: Final = "<result>"


def first_stage(name: str, function: Transformed, result: Value) -> Value:
    """What ``lower`` and ``trace`` give, called on a function outside any trace.

    Args:
      name: the method.
      function: the function.
      result: what it would give.
    """
    if function.transform not in COMPILING or result == REPORTED or name not in ("lower", "trace"):
        return UNKNOWN
    kept = ((RESULT, as_each_call_gives(result)), (FUNCTION, function))
    return ExternalInstance(_LOWERED if name == "lower" else _TRACED, kept)


def as_each_call_gives(result: Value) -> Value:
    """The part of a result that is the same in every call: each one makes containers of its own."""
    if isinstance(result, Tuple):
        return rebuilt(result, as_each_call_gives)
    return result if isinstance(result, (Array, Tree, Const, Static)) else UNKNOWN


@method(_TRACED, "lower")
def _lower(it: Interpreter, call: Call) -> Value:
    return ExternalInstance(_LOWERED, call.receiver.attributes)


@method(_LOWERED, "compile")
def _compile(it: Interpreter, call: Call) -> Value:
    return ExternalInstance(COMPILED, call.receiver.attributes)

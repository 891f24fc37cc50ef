"""Programs that are compiled ahead of their calls: ``jitted.lower(x).compile()``.

What is compiled is called without the static arguments, compiles nothing more, and returns before
its work is done, as a call of the function itself does.  Observed under JAX 0.10.2.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, method
from jitlint.absint.machine.buffers import reads_arguments
from jitlint.absint.machine.clock_signals import WorkDispatched
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    REPORTED,
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.traversal import rebuilt
from jitlint.jaxmodel.transforms import COMPILED, COMPILING

_TRACED: Final = "jax.stages.Traced"
_LOWERED: Final = "jax.stages.Lowered"
#: what a stage keeps of the function: its result, and which transform it is of
_RESULT: Final = "<result>"
_TRANSFORM: Final = "<transform>"


def first_stage(name: str, transform: str, result: Value) -> Value:
    """What ``lower`` and ``trace`` give, called on a function outside any trace.

    Args:
      name: the method.
      transform: which transform made the function.
      result: what the function would give.
    """
    if transform not in COMPILING or result == REPORTED or name not in ("lower", "trace"):
        return UNKNOWN
    kept = ((_RESULT, _as_each_call_gives(result)), (_TRANSFORM, Const(transform)))
    return ExternalInstance(_LOWERED if name == "lower" else _TRACED, kept)


def _as_each_call_gives(result: Value) -> Value:
    """The part of a result that is the same in every call: each one makes containers of its own."""
    if isinstance(result, Tuple):
        return rebuilt(result, _as_each_call_gives)
    return result if isinstance(result, (Array, Tree, Const, Static)) else UNKNOWN


@method(_TRACED, "lower")
def _lower(it: Interpreter, call: Call) -> Value:
    return ExternalInstance(_LOWERED, call.receiver.attributes)


@method(_LOWERED, "compile")
def _compile(it: Interpreter, call: Call) -> Value:
    return ExternalInstance(COMPILED, call.receiver.attributes)


@method(COMPILED, "__call__")
def _run(it: Interpreter, call: Call) -> Value:
    if it.trace is not None:
        # Under a trace JAX refuses to call it.
        return UNKNOWN
    reads_arguments(it, call.args, call.node)
    kept: dict[str, Value] = dict(call.receiver.attributes)
    transform = kept[_TRANSFORM]
    assert isinstance(transform, Const)
    it.signal(WorkDispatched(transform.value, call.node, program=True))
    return kept[_RESULT]

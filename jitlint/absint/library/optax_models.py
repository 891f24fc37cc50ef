"""Gradient transformations that a project makes itself and hands to Optax.

Optax calls their functions where a training step calls ``tx.update``; the object that a combinator
gives remembers what it was made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.library.builtin_models import model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import level_of
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    ExternalInstance,
    Level,
    Tree,
    Tuple,
    Value,
    base_function,
)
from jitlint.jaxmodel.frameworks import SCHEDULES

if TYPE_CHECKING:
    from jitlint.jaxmodel.functions import Parameter

TRANSFORMATION: Final = "optax.GradientTransformation"


@model("optax.GradientTransformation", "optax.GradientTransformationExtraArgs")
def _transformation(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    init = args.get(0, "init") or UNKNOWN
    update = args.get(1, "update") or UNKNOWN
    return ExternalInstance(TRANSFORMATION, (("init", init), ("update", update)))


@model("optax.stateless", "optax.stateless_with_tree_map")
def _stateless(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f") or UNKNOWN
    return ExternalInstance(TRANSFORMATION, (("<stateless>", function),))


@model("optax.scale_by_schedule")
def _scale_by_schedule(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    schedule = args.get(0, "step_size_fn") or UNKNOWN
    return ExternalInstance(TRANSFORMATION, (("<schedule>", schedule),))


def combined(result: Value, args: Arguments, parameters: Sequence[Parameter]) -> Value:
    """The result of an Optax function, with the transformations and schedules it was given.

    Args:
      result: what its row says of it.
      args: what it was given.
      parameters: its parameters, as far as they are known.
    """
    if not isinstance(result, ExternalInstance) or result.cls != TRANSFORMATION:
        return result
    parts = [value for value in args.values() if _is_own(value)]
    for index, parameter in enumerate(parameters):
        schedule = args.get(index, parameter.name) if parameter.name in SCHEDULES else None
        if schedule is not None and base_function(schedule) is not None:
            parts.append(ExternalInstance(TRANSFORMATION, (("<schedule>", schedule),)))
    if not parts:
        return result
    return ExternalInstance(TRANSFORMATION, (("<parts>", Tuple(tuple(parts))),))


def _is_own(value: Value) -> bool:
    if not isinstance(value, ExternalInstance) or value.cls != TRANSFORMATION:
        return False
    return bool(value.attributes)


def run_parts(
    it: Interpreter, receiver: Value, name: str, args: Arguments, node: cst.CSTNode
) -> None:
    """Call the project's own functions under a combined transformation."""
    if not isinstance(receiver, ExternalInstance) or name not in ("init", "update"):
        return
    attributes = dict(receiver.attributes)
    own = attributes.get(name)
    parts = attributes.get("<parts>")
    try:
        if own is not None:
            it.call(own, _with_state(args, name), node)
        elif "<stateless>" in attributes and name == "update" and args.positional:
            leaves = [args.positional[0], *args.positional[2:3]]
            it.call(attributes["<stateless>"], Arguments(leaves), node)
        elif "<schedule>" in attributes and name == "update":
            _run_schedule(it, attributes["<schedule>"], args, node)
        elif isinstance(parts, Tuple):
            for part in parts.items:
                run_parts(it, part, name, args, node)
    except Terminated:
        return


def _run_schedule(it: Interpreter, schedule: Value, args: Arguments, node: cst.CSTNode) -> None:
    """Call a schedule with the count of updates that the state of the optimiser holds."""
    state = args.get(1, "state")
    level = None if state is None else level_of(it, state)
    if level is Level.ABSTRACT:
        origin = it.origin(node, "the schedule is called with a traced count of updates")
        count = Array(level, dtype="int", rank=0, origin=origin, trace=it.trace_number)
        it.call(schedule, Arguments([count]), node)


def _with_state(args: Arguments, name: str) -> Arguments:
    """The arguments of one part: the state of the whole is not its own."""
    if name == "init" or len(args.positional) < 2:
        return args
    state = args.positional[1]
    own = state.replace() if isinstance(state, Tree) else UNKNOWN
    return Arguments([args.positional[0], own, *args.positional[2:]], dict(args.keywords))

"""Optax: transformations that a project makes of functions of its own.

Optax calls these where a training step calls ``tx.update``; the object that a combinator gives
remembers what it was made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, level_of
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    ExternalInstance,
    Level,
    Partial,
    Tree,
    Tuple,
    Value,
    base_function,
)
from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.frameworks import TRANSFORMATION
from jitlint.jaxmodel.functions import Parameter

#: what one holds that is made anew of the hyperparameters in its state, each time that it is used
INJECTED: Final = "<injected>"
#: what applies another one every few calls
MULTI_STEPS: Final = "optax.MultiSteps"
#: what one holds of the functions that compute these
SCHEDULES: Final = "<schedules>"


def transformation(*held: tuple[str, Value | None]) -> ExternalInstance:
    """A transformation that holds functions of the project, by what they are for."""
    return ExternalInstance(TRANSFORMATION, tuple((name, value or UNKNOWN) for name, value in held))


@model("optax.GradientTransformation", "optax.GradientTransformationExtraArgs")
def _pair(it: Interpreter, call: Call) -> Value:
    init, update = call.args.get(0, "init"), call.args.get(1, "update")
    return transformation(("init", init), ("update", update))


model("optax.stateless", "optax.stateless_with_tree_map")(
    lambda it, call: transformation(("<stateless>", call.args.get(0, "f")))
)
model("optax.scale_by_schedule")(
    lambda it, call: transformation(("<schedule>", call.args.get(0, "step_size_fn")))
)


@model(MULTI_STEPS)
def _multi_steps(it: Interpreter, call: Call) -> Value:
    """``optax.MultiSteps(tx, every_k_schedule=4)``: its ``update`` calls that of the optimiser."""
    held = (call.args.get(0, "opt"), _schedule_of(call.args.get(1, "every_k_schedule")))
    components = tuple(value for value in held if isinstance(value, ExternalInstance))
    return ExternalInstance(MULTI_STEPS, (("<components>", Tuple(components)),))


def _schedule_of(value: Value | None) -> ExternalInstance | None:
    """What calls a function of the project with the count of updates."""
    is_own = value is not None and base_function(value) is not None
    return transformation(("<schedule>", value)) if is_own else None


def _remade(it: Interpreter, made: Value, call: Call) -> Value:
    """The transformation of which the hyperparameters come from the state.

    Of one that was looked into too deep, or that may be another one, nothing is known any more.
    """
    if not isinstance(made, Partial):
        return UNKNOWN

    def of_state(value: Value) -> Value:
        if not isinstance(value, Array):
            return value
        origin = it.origin(call.node, "a hyperparameter comes from the state of the optimiser")
        return array_result(it, (value,), dtype=value.dtype, rank=0, node=call.node).replace(
            origin=origin
        )

    keywords = {name: of_state(value) for name, value in made.keywords}
    return it.call(made.function, Arguments(list(map(of_state, made.args)), keywords), call.node)


def with_components(result: Value, args: Arguments, parameters: Sequence[Parameter]) -> Value:
    """The result of an Optax function, with the transformations and schedules it was given.

    Args:
      result: what its row says of it.
      args: what it was given.
      parameters: its parameters, as far as they are known.
    """
    if not isinstance(result, ExternalInstance) or result.cls != TRANSFORMATION:
        return result
    given = [value for value in args.values() if isinstance(value, ExternalInstance)]
    components = [value for value in given if value.cls == TRANSFORMATION and value.attributes]
    for index, parameter in enumerate(parameters):
        if parameter.name in frameworks.SCHEDULES:
            schedule = _schedule_of(args.get(index, parameter.name))
            components += [] if schedule is None else [schedule]
    if not components:
        return result
    return transformation(("<components>", Tuple(tuple(components))))


def call_components(it: Interpreter, call: Call) -> None:
    """Call the project's own functions under a combined transformation."""
    name = call.name
    if not isinstance(call.receiver, ExternalInstance) or name not in ("init", "update"):
        return
    held = dict(call.receiver.attributes)
    own, components = held.get(name), held.get("<components>")
    try:
        if own is not None:
            it.call(own, _with_state(call.args, name), call.node)
        elif "<stateless>" in held and name == "update" and call.positional:
            leaves = [call.first, *call.positional[2:3]]
            it.call(held["<stateless>"], Arguments(leaves), call.node)
        elif "<schedule>" in held and name == "update":
            _call_schedule(it, held["<schedule>"], call)
        elif INJECTED in held:
            schedules = held.get(SCHEDULES)
            for schedule in schedules.items if isinstance(schedules, Tuple) else ():
                if name == "update":
                    _call_schedule(it, schedule, call)
            made = _remade(it, held[INJECTED], call)
            it.call(it.attribute(made, name, call.node), _with_state(call.args, name), call.node)
        elif isinstance(components, Tuple):
            for component in components.items:
                call_components(it, Call(name, call.args, call.node, component))
    except Terminated:
        return


def _call_schedule(it: Interpreter, schedule: Value, call: Call) -> None:
    """Call a schedule with the count of updates that the state of the optimiser holds."""
    state = call.args.get(1, "state")
    level = None if state is None else level_of(it, state)
    if level is Level.ABSTRACT:
        origin = it.origin(call.node, "the schedule is called with a traced count of updates")
        count = Array(level, dtype="int", rank=0, origin=origin, trace=it.trace_number)
        it.call(schedule, Arguments([count]), call.node)


def _with_state(args: Arguments, name: str) -> Arguments:
    """The arguments of one component: the state of the whole is not its own."""
    if name == "init" or len(args.positional) < 2:
        return args
    updates, state, *rest = args.positional
    own = state.replace() if isinstance(state, Tree) else UNKNOWN
    return Arguments([updates, own, *rest], dict(args.keywords))

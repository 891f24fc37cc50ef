"""Optax: transformations that a project makes of functions of its own.

Optax calls these where a training step calls ``tx.update``; the object that a combinator gives
remembers what it was made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitlint.absint.code.functions import Code, Parameter as CodeParameter
from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, level_of
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    External,
    ExternalInstance,
    Function,
    Level,
    Partial,
    Tree,
    Tuple,
    Value,
    base_function,
)
from jitlint.absint.values.statics import constant, python_type
from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.functions import Parameter

#: the class of Optax that a project makes objects of, too
TRANSFORMATION: Final = "optax.GradientTransformation"


def _transformation(*held: tuple[str, Value | None]) -> ExternalInstance:
    """A transformation that holds functions of the project."""
    return ExternalInstance(TRANSFORMATION, tuple((name, value or UNKNOWN) for name, value in held))


@model("optax.GradientTransformation", "optax.GradientTransformationExtraArgs")
def _pair(it: Interpreter, call: Call) -> Value:
    init, update = call.args.get(0, "init"), call.args.get(1, "update")
    return _transformation(("init", init), ("update", update))


model("optax.stateless", "optax.stateless_with_tree_map")(
    lambda it, call: _transformation(("<stateless>", call.args.get(0, "f")))
)
model("optax.scale_by_schedule")(
    lambda it, call: _transformation(("<schedule>", call.args.get(0, "step_size_fn")))
)


@model("optax.inject_hyperparams", "optax.inject_stateful_hyperparams")
def _inject(it: Interpreter, call: Call) -> Value:
    factory, static = call.args.get(0, "inner_factory"), call.args.get(1, "static_args")
    if factory is None:
        return UNKNOWN
    names = () if static is None else (("static", static),)
    return Partial(External("jitlint.injected"), (factory,), names)


@model("jitlint.injected")
def _injected(it: Interpreter, call: Call) -> Value:
    """``optax.inject_hyperparams(factory)(0.1)``: its ``update`` calls the factory each time.

    Numbers and what schedules give arrive as arrays, defaults too; observed under Optax 0.2.
    """
    factory, *given = call.positional
    keywords = dict(call.keywords)
    static = keywords.pop("static", None)
    names = () if static is None else constant(static)
    if names is ... or call.starred:
        return _transformation()
    kept = {names} if isinstance(names, str) else set(names)
    if isinstance(factory, Function) and (code := it.load(factory.code)) is not None:
        keywords.update(zip((p.name for p in code.parameters), given, strict=False))
        given = []
        for parameter in code.parameters:
            if parameter.default is not None and parameter.name not in keywords:
                keywords[parameter.name] = _default(it, factory, code, parameter)
    held = tuple((n, v if n in kept else _injected_value(v)) for n, v in keywords.items())
    made = Partial(factory, tuple(map(_injected_value, given)), held)
    return _transformation(("<injected>", made))


def _default(it: Interpreter, function: Function, code: Code, parameter: CodeParameter) -> Value:
    found = dict(function.defaults).get(parameter.name)
    return default_value(it, code, parameter) if found is None else found


def _injected_value(value: Value) -> Value:
    """What the state of an optimiser holds of a hyperparameter."""
    kind = python_type(value)
    if kind in ("int", "float"):
        return Array(Level.CONCRETE, dtype=kind, rank=0)
    schedule = isinstance(value, ExternalInstance) and value.cls == "jitlint.callable"
    if schedule or base_function(value) is not None:
        return Array(Level.CONCRETE, rank=0)
    return value


def _remade(it: Interpreter, made: Value, call: Call) -> Value:
    """The transformation of which the hyperparameters come from the state."""
    assert isinstance(made, Partial)

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
        schedule = (
            args.get(index, parameter.name) if parameter.name in frameworks.SCHEDULES else None
        )
        if schedule is not None and base_function(schedule) is not None:
            components.append(_transformation(("<schedule>", schedule)))
    if not components:
        return result
    return _transformation(("<components>", Tuple(tuple(components))))


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
        elif "<injected>" in held:
            made = _remade(it, held["<injected>"], call)
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

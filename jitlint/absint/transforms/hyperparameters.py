"""Hyperparameters of optimisers that are part of the state: Optax calls what takes them anew."""

from __future__ import annotations

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.packages.optimizers import INJECTED, SCHEDULES, transformation
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    External,
    ExternalInstance,
    Function,
    Level,
    Partial,
    Tuple,
    Value,
    base_function,
)
from jitlint.absint.values.statics import constant, python_type


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

    Numbers and what schedules give arrive as arrays, defaults too; schedules are called with the
    count of the state.  Observed under Optax 0.2.
    """
    factory, *given = call.positional
    keywords = dict(call.keywords)
    static = keywords.pop("static", None)
    names = () if static is None else constant(static)
    if names is ... or call.starred:
        return transformation()
    kept = {names} if isinstance(names, str) else set(names)
    if isinstance(factory, Function) and (code := it.load(factory.code)) is not None:
        keywords.update(zip((p.name for p in code.parameters), given, strict=False))
        given = []
        for parameter in code.parameters:
            if parameter.default is not None and parameter.name not in keywords:
                keywords[parameter.name] = _default(it, factory, code, parameter)
    held = tuple((n, v if n in kept else _injected_value(v)) for n, v in keywords.items())
    made = Partial(factory, tuple(map(_injected_value, given)), held)
    # Whatever is called by a name that is not static computes a number.
    called = [*given, *(v for n, v in keywords.items() if n not in kept)]
    schedules = tuple(value for value in called if base_function(value) is not None)
    return transformation((INJECTED, made), (SCHEDULES, Tuple(schedules)))


def _default(it: Interpreter, function: Function, code: Code, parameter: Parameter) -> Value:
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

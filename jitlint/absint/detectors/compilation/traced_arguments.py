"""Arguments that no trace can take: neither arrays, nor numbers, nor pytrees of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jitlint.absint.code.declarations import decorator_names
from jitlint.absint.events import NonArrayArgument, TracedSelf
from jitlint.absint.limits import ARGUMENT_LEVELS
from jitlint.absint.machine.given import OTHER, Given, application_of, kind_of_given
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, TransformApplied, observes
from jitlint.absint.program.pytrees import is_never_pytree
from jitlint.absint.values.domain import (
    BoundMethod,
    Class,
    Const,
    External,
    ExternalInstance,
    Function,
    Origin,
    Partial,
    Ref,
    Slice,
    Static,
    Transformed,
    Tuple,
    Value,
    base_function,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel import functions
from jitlint.jaxmodel.transforms import CHECKS_ARGUMENTS, TRACES_SELF, trace_note

_ERROR: Final = ("TypeError",)
#: objects of libraries that are neither arrays nor pytrees of arrays
_OPAQUE: Final = frozenset(
    {
        "logging.Logger",
        "io.TextIOWrapper",
        "pathlib.Path",
        "numpy.random.Generator",
        "numpy.random.RandomState",
        "random.Random",
        "SummaryWriter",
        "optax.GradientTransformation",
        "optax.GradientTransformationExtraArgs",
        "jitlint.transformed",
    }
)


def traced_by(function: Transformed) -> Origin:
    """The origin of what a transform refuses: the place where it was applied."""
    return Origin(function.place, trace_note(function.transform))


def called_name(function: Transformed) -> str:
    """The name of the function under a transform, as reports give it."""
    target = base_function(function)
    return function.transform if target is None else target.code.name


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    function = passed.function
    if passed.static or function.transform not in CHECKS_ARGUMENTS:
        return
    if passed.parameter in ("self", "cls"):
        # Who jits a method is told at the transform.
        return
    kind = _not_an_array(it, passed.value)
    if kind is not None:
        it.note(
            NonArrayArgument,
            passed.node,
            origin=given_by(passed),
            exceptions=_ERROR,
            parameter=passed.parameter,
            python_type=kind,
            callee=called_name(function),
        )


def given_by(passed: ArgumentPassed) -> Origin:
    """The same for an argument, with what is known of its parameter."""
    value = passed.value
    kind = "function" if _lasts(value) else kind_of_given(value)
    return _given(passed.function, passed.parameter, kind)


def _given(function: Transformed, parameter: str, kind: str) -> Origin:
    target = base_function(function)
    if target is None:
        return traced_by(function)
    note, applied = trace_note(function.transform), application_of(function, target.code)
    return Given(function.place, note, applied, parameter, kind)


def _lasts(value: Value) -> bool:
    """Whether a function or class is the same object in every call."""
    if isinstance(value, Function):
        return not value.closure and value.code.name != "<lambda>"
    return isinstance(value, (Class, External))


def _not_an_array(it: Interpreter, value: Value, depth: int = ARGUMENT_LEVELS) -> str | None:
    """What a value is that no trace can take, None if it can or is not known."""
    if isinstance(value, (Const, Static)):
        kind = type_name(value)
        return kind if kind in ("str", "bytes", "range", "dtype") else None
    if isinstance(value, Partial):
        return None if value.pytree else "partial"
    if isinstance(value, (Function, BoundMethod, Transformed)):
        return "function"
    if isinstance(value, Class):
        return "class"
    if isinstance(value, External):
        fact = functions.lookup(value.name)
        return "function" if fact is not None else None
    if isinstance(value, ExternalInstance):
        return value.cls.rpartition(".")[2] if value.cls in _OPAQUE else None
    if isinstance(value, Slice):
        return "slice"
    if depth == 0:
        return None
    parts: Iterable[Value] = ()
    if isinstance(value, Tuple):
        if value.cls == External("builtins.range"):
            return "range"
        parts = value.items
    elif isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, SetObject):
            return "set"
        if isinstance(contents, ListObject) and it.is_mutable(value):
            parts = contents.items or ()
        elif isinstance(contents, DictObject):
            parts = contents.items.values()
        elif isinstance(contents, Instance):
            never = is_never_pytree(it, contents.cls)
            return contents.cls.definition.name if never else None
    for part in parts:
        kind = _not_an_array(it, part, depth - 1)
        if kind is not None:
            return kind
    return None


@observes(TransformApplied)
def _transform_applied(it: Interpreter, applied: TransformApplied) -> None:
    """A transform of a method traces ``self``, where the class is no pytree."""
    function = applied.made
    target = function.function
    if function.transform not in TRACES_SELF or not isinstance(target, Function):
        return
    unit = target.code.unit
    if (
        unit.cls is None
        or target.closure
        or target.code.node is None
        or unit.name != target.code.name
    ):
        return
    decorators = decorator_names(unit)
    if "staticmethod" in decorators:
        return
    positional = [p for p in target.code.parameters if p.kind in ("positional", "positional-only")]
    first = positional[0].name if positional else ""
    # Else it is static, or the class is used as a namespace of functions.
    if first in applied.static or first not in ("self", "cls"):
        return
    owner = Class(unit.cls, unit.module)
    if "classmethod" not in decorators and not is_never_pytree(it, owner):
        return
    it.note(
        TracedSelf,
        applied.node,
        operand=target.code.name,
        origin=_given(function, first, OTHER),
        exceptions=_ERROR,
        cls=unit.cls.name,
        callee=function.transform,
    )

"""Tracing what nobody visibly calls, on what the parameters say of themselves."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from jitlint.absint.code.declarations import decorator_names
from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.limits import TRACER_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import UncalledRefused, UncalledTraced
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.modules.kept_calls import is_out_of_reach, kept_calls, leave_out
from jitlint.absint.objects.dispatch import one_of, receivers
from jitlint.absint.program.setting import remake
from jitlint.absint.program.signatures import (
    positional_parameters,
    signature,
    visible_signature,
)
from jitlint.absint.traces.conversion import RefusedError
from jitlint.absint.transforms.calling import call_transformed
from jitlint.absint.transforms.custom_rules import WITH_RULES, trace_rules
from jitlint.absint.transforms.haiku import applied_by
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    BoundMethod,
    Class,
    Default,
    ExternalInstance,
    Function,
    Ref,
    Transformed,
    Tuple,
    Union,
    Value,
    partial_keywords,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.statics import constant
from jitlint.absint.values.traversal import parts_of


def receivers_of(it: Interpreter, function: Transformed) -> list[Class | None]:
    """The classes as which the object of an uncalled method is taken; None if it is no method.

    There are none where nobody can call it either.
    """
    if is_out_of_reach(it, function.place):
        return []
    code, offset = signature(it, function.function)
    if code is None or offset or code.unit.cls is None or not _is_method(code):
        return [None]
    return [*receivers(it, Class(code.unit.cls, code.module), code.name)]


def trace_assumed(it: Interpreter, function: Transformed, cls: Class | None = None) -> None:
    """Trace a function that somebody else will jit, or what it makes for others to call.

    Args:
      it: the interpreter.
      function: the function.
      cls: for a method whose object is an argument like any other, the class of that.
    """
    made = trace_uncalled(it, function, cls)
    for handed in _functions_in(it, made, TRACER_LEVELS):
        trace_uncalled(it, Transformed(handed, function.transform, (), function.place), None)


def _functions_in(it: Interpreter, value: Value, depth: int) -> Iterator[Function]:
    """The functions of the project in what a function returns."""
    if type(value) is Function:
        yield value
    elif depth and isinstance(value, (Tuple, Union, ExternalInstance)):
        for part in parts_of(value):
            yield from _functions_in(it, part, depth - 1)
    elif depth and isinstance(value, Ref):
        for part in parts_of(it.contents(value)):
            yield from _functions_in(it, part, depth - 1)


def trace_uncalled(it: Interpreter, function: Transformed, cls: Class | None) -> Value:
    """Trace a function that no visible call reaches.

    Args:
      it: the interpreter.
      function: the function.
      cls: for a method, the class of the object that it is called on.

    Returns:
      What it gives.
    """
    row = it.row(function.transform)
    if row is not None and row.kind in WITH_RULES:
        trace_rules(it, function)
        return UNKNOWN
    code, offset = signature(it, function.function)
    if code is None:
        return _trace_applied(it, function)
    if isinstance(function.function, BoundMethod):
        _finish(it, function.function.receiver)
    args = Arguments(open=True)
    bound = partial_keywords(function.function)
    visible, skip = visible_signature(it, function.function)
    named = {parameter.name for parameter in code.parameters}
    if visible is not None and visible is not code:
        # The wrapper takes whatever the function that it wraps takes.
        args.open = False
        for parameter in positional_parameters(visible, skip):
            if parameter.default is None:
                args.positional.append(_argument(it, visible, parameter))
                named.add(parameter.name)
    else:
        kinds = {parameter.kind for parameter in code.parameters}
        args.star = UNKNOWN if "*" in kinds else None
        args.star_keywords = UNKNOWN if "**" in kinds else None
    if any(p.kind == "**" for p in code.parameters):
        # What is declared static by name alone is passed by name.
        names = constant(function.option("static_argnames"))
        for name in names if isinstance(names, tuple) else (names,):
            if isinstance(name, str) and name not in named:
                args.keywords[name] = UNKNOWN
    parameters = positional_parameters(code, offset)
    has_defaults = any(parameter.default is not None for parameter in code.parameters)
    calls = kept_calls(it, function.place) if has_defaults else []
    for index, parameter in enumerate(parameters):
        if parameter.name in bound or _has_lasting_default(it, code, parameter):
            break
        if _is_bound_early(code, parameter):
            break
        if parameter.default is not None and leave_out(calls, parameter.name, index):
            break
        if offset == 0 and not args.positional and cls is not None:
            args.positional.append(one_of(it, cls))
            continue
        args.positional.append(_argument(it, code, parameter))
    for parameter in code.parameters:
        passed = parameter.kind == "keyword" and parameter.name not in bound
        left = parameter.default is not None and leave_out(calls, parameter.name, None)
        if passed and not left and not _is_bound_early(code, parameter):
            args.keywords[parameter.name] = _argument(it, code, parameter)
    before, it.captured = it.captured, {}
    try:
        return call_transformed(it, function, args, function.place.node)
    except RefusedError as refused:
        it.signal(UncalledRefused(function, refused.parameter, refused.cls))
        raise
    finally:
        it.signal(UncalledTraced(function))
        it.captured = before


def _finish(it: Interpreter, made: Value) -> None:
    """Let what wraps the making of an object go over one whose method its constructor compiled."""
    contents = it.contents(made) if isinstance(made, Ref) else None
    if isinstance(made, Ref) and isinstance(contents, Instance):
        remake(it, contents.cls, made)


def _trace_applied(it: Interpreter, function: Transformed) -> Value:
    """Trace ``jax.jit(hk.transform(f).apply)`` on what ``f`` takes, but for what has a default."""
    applied = applied_by(function.function)
    code, offset = (None, 0) if applied is None else signature(it, applied[0])
    if applied is None or code is None:
        return UNKNOWN
    # Before its own arguments come the parameters of the modules, and a key.
    required = [p for p in positional_parameters(code, offset) if p.default is None]
    args = Arguments([UNKNOWN] * (applied[1] + len(required)), open=True)
    return call_transformed(it, function, args, function.place.node)


def _has_lasting_default(it: Interpreter, code: Code, parameter: Parameter) -> bool:
    """Whether a parameter is left at a mutable default, which the function may change."""
    if parameter.default is None:
        return False
    default = default_value(it, code, parameter)
    return isinstance(default, Ref) and default.id in it.defaults


def _is_bound_early(code: Code, parameter: Parameter) -> bool:
    """``lambda x, k=k: x**k``: whether a default is how a lambda holds what has a name around it.

    Nobody passes that.
    """
    default = parameter.default
    is_name = isinstance(default, cst.Name) and default.value not in ("False", "None", "True")
    return isinstance(code.node, cst.Lambda) and is_name


def _is_method(code: Code) -> bool:
    """Whether a unit of a class body is a method, not a function nested in one."""
    if "staticmethod" in decorator_names(code.unit):
        return False
    first = code.parameters[0].name if code.parameters else ""
    return code.node is not None and code.cls is not None and first in ("self", "cls")


def _argument(it: Interpreter, code: Code, parameter: Parameter) -> Value:
    """What a parameter gets from a caller of whom nothing is known."""
    if parameter.default is None:
        return UNKNOWN
    default = default_value(it, code, parameter)
    return Default(Union((NONE, UNKNOWN)) if default == NONE else default)

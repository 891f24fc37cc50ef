"""Definitions: functions, lambdas and classes made inside functions, and decorators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import CachedCalled
from jitlint.absint.machine.verbs import evaluates, executes, verb
from jitlint.absint.modules.defaults import note_default
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import find_in_class
from jitlint.absint.python.assignment import bind
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Class,
    Descriptor,
    External,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.lattice import guessed, join_all
from jitlint.jaxmodel.decorators import TRANSPARENT_DECORATORS, keeps_function


@executes(cst.FunctionDef)
def _function(it: Interpreter, node: cst.FunctionDef) -> None:
    code = it.store.of_node(node, it.frame.parsed, it.frame.qualname)
    if it.frame.code is None and it.frame.parsed.unit.cls is not None:
        code.cls = it.frame.parsed.unit.cls
    value: Value = _make_function(it, code)
    bind(it, node.name.value, it.decorate(value, node.decorators))


@evaluates(cst.Lambda)
def _lambda(it: Interpreter, node: cst.Lambda) -> Value:
    return _make_function(it, it.store.of_node(node, it.frame.parsed, it.frame.qualname))


@executes(cst.ClassDef)
def _class(it: Interpreter, node: cst.ClassDef) -> None:
    frame = it.frame
    unit, name = frame.parsed.unit, node.name.value
    row = frame.parsed.position(node.name)[0]
    definition = None
    if frame.code is not None:
        definition = unit.module.local_class(unit, row, f"{frame.qualname}.{name}")
    value: Value = UNKNOWN
    if definition is not None:
        value = Class(definition, frame.module, (frame.env, *frame.closure))
        # Its bases are those of the moment.
        class_info(it, value)
    bind(it, name, value)


def _make_function(it: Interpreter, code: Code) -> Function:
    """The function object of a nested definition or lambda in the current frame."""
    frame = it.frame
    in_class = frame.code is None and frame.parsed.unit.cls
    closure = frame.closure if in_class else (frame.env, *frame.closure)
    defaults = tuple(
        (parameter.name, it.ev(parameter.default))
        for parameter in code.parameters
        if parameter.default is not None
    )
    for name, value in defaults:
        note_default(it, name, value)
    made = Function(code, closure, defaults)
    if it.trace is None:
        it.made_here(made)
    if not frame.context.staging and code.name != "<lambda>":
        it.nested.setdefault(id(code), made)
    return made


@verb("decorate")
def _decorate(it: Interpreter, value: Value, decorators: Sequence[cst.Decorator]) -> Value:
    for decorator in reversed(decorators):
        node = decorator.decorator
        wrapper = it.ev(node)
        if isinstance(wrapper, Union):
            # `try: from profiler import profile`, and one of the project's own without it.
            members = [member for member in wrapper.members if member != NONE]
            with it.speculating():
                value = join_all(_applied(it, value, each, node) for each in members)
            value = guessed(value) if wrapper.exclusive else value
        else:
            value = _applied(it, value, wrapper, node)
    return value


def _applied(it: Interpreter, value: Value, wrapper: Value, node: cst.BaseExpression) -> Value:
    """What a decorator makes of a value."""
    plain = wrapper.function if isinstance(wrapper, Partial) else wrapper
    name = plain.name if isinstance(plain, External) else ""
    kind = _DESCRIPTORS.get(name)
    if kind is not None:
        base = base_function(value) if kind == "cached_property" else None
        if base is not None:
            # Its body runs once for each object.
            it.signal(CachedCalled(base.code))
        return Descriptor(kind, value)
    if name in TRANSPARENT_DECORATORS or _is_context(it, wrapper):
        return value
    named = name or _named(it, node)
    if isinstance(value, Descriptor):
        # `@jax.jit` above `@staticmethod`: the descriptor's function is what runs.
        inner = it.call(wrapper, Arguments([value.function]), node)
        return Descriptor(value.kind, _kept(value.function, inner, named))
    return _kept(value, it.call(wrapper, Arguments([value]), node), named)


def _is_context(it: Interpreter, wrapper: Value) -> bool:
    """Whether a decorator is a context manager, within which the function then runs."""
    if isinstance(wrapper, ExternalInstance):
        return wrapper.cls == "jitlint.managed"
    contents = it.contents(wrapper) if isinstance(wrapper, Ref) else None
    if not isinstance(contents, Instance):
        return False
    decorates = not _CONTEXT_DECORATORS.isdisjoint(class_info(it, contents.cls).externals)
    return decorates and find_in_class(it, contents.cls, "__call__") is None


def _named(it: Interpreter, node: cst.BaseExpression) -> str:
    """The name of what decorates, or makes what decorates: empty for what is known or computed."""
    while isinstance(node, cst.Call):
        node = node.func
    written = dotted(node)
    if written is None:
        return ""
    known = it.ev(node)
    if isinstance(known, Function):
        # However long it is: what it gives is what the name of the function stands for.
        it.load(known.code)
    if isinstance(known, External):
        return known.name
    return ""


def _kept(function: Value, made: Value, decorator: str) -> Value:
    """What a decorator makes of a function: the function, if nothing is known of the decorator."""
    return function if made == UNKNOWN and keeps_function(decorator) else made


_CONTEXT_DECORATORS: Final = frozenset(
    {"contextlib.ContextDecorator", "contextlib.AsyncContextDecorator"}
)
_DESCRIPTORS: Final = {
    "builtins.property": "property",
    "builtins.staticmethod": "staticmethod",
    "builtins.classmethod": "classmethod",
    "functools.cached_property": "cached_property",
}

"""Definitions: functions, lambdas and classes made inside functions, and decorators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import CachedCalled
from jitlint.absint.machine.verbs import evaluates, executes, verb
from jitlint.absint.program.defaults import note_default
from jitlint.absint.python.assignment import bind
from jitlint.absint.values.domain import (
    UNKNOWN,
    Descriptor,
    External,
    Function,
    Value,
    base_function,
)
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
    # A class made inside a function: its methods would need an index of their own; unknown.
    bind(it, node.name.value, UNKNOWN)


def _make_function(it: Interpreter, code: Code) -> Function:
    """The function object of a nested definition or lambda in the current frame."""
    frame = it.frame
    closure = () if frame.code is None and frame.parsed.unit.cls else (frame.env, *frame.closure)
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
        named = _named(it, decorator)
        wrapper = it.ev(decorator.decorator)
        name = wrapper.name if isinstance(wrapper, External) else ""
        kind = _DESCRIPTORS.get(name)
        if kind is not None:
            base = base_function(value) if kind == "cached_property" else None
            if base is not None:
                # Its body runs once for each object.
                it.signal(CachedCalled(base.code))
            value = Descriptor(kind, value)
        elif name in TRANSPARENT_DECORATORS:
            continue
        elif isinstance(value, Descriptor):
            # `@jax.jit` above `@staticmethod`: the descriptor's function is what runs.
            inner = it.call(wrapper, Arguments([value.function]), decorator.decorator)
            value = Descriptor(value.kind, _kept(value.function, inner, named))
        else:
            made = it.call(wrapper, Arguments([value]), decorator.decorator)
            value = _kept(value, made, named)
    return value


def _named(it: Interpreter, decorator: cst.Decorator) -> str:
    """The name of what decorates, or makes what decorates: empty for what is known or computed."""
    node = decorator.decorator
    while isinstance(node, cst.Call):
        node = node.func
    written = _dotted(node)
    if not written:
        return ""
    known = it.ev(node)
    if isinstance(known, Function):
        # However long it is: what it gives is what the name of the function stands for.
        it.load(known.code)
    if isinstance(known, External):
        return known.name
    return written if known == UNKNOWN else ""


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        base = _dotted(node.value)
        return base and f"{base}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _kept(function: Value, made: Value, decorator: str) -> Value:
    """What a decorator makes of a function: the function, if nothing is known of the decorator."""
    return function if made == UNKNOWN and keeps_function(decorator) else made


_DESCRIPTORS: Final = {
    "builtins.property": "property",
    "builtins.staticmethod": "staticmethod",
    "builtins.classmethod": "classmethod",
    "functools.cached_property": "cached_property",
}

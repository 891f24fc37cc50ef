"""Builtins that need the number, the truth or the text of a value: ``float(x)``, ``range(n)``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import libcst as cst

from jitlint.absint.library.registry import callee, family, first, model, node_at
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import Conversion, Hash, PythonIndex
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.python.calls import constant, dict_contents
from jitlint.absint.python.operations import (
    BOOL_ERRORS,
    HASH_ERRORS,
    INDEX_ERRORS,
    hashed_tracer,
    sequence_items,
    shown,
    text_of,
    truth,
)
from jitlint.absint.python.special_methods import call_special
from jitlint.absint.values.domain import (
    BOOL,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Const,
    External,
    Level,
    Ref,
    Slice,
    Static,
    Tree,
    Tuple,
    Value,
    known_bool,
)

_NUMBERS: Final[dict[str, Callable[[Any], Any]]] = {"int": int, "float": float, "complex": complex}
_NUMBER_ERRORS: Final = ("jax.errors.ConcretizationTypeError", "TypeError")


def _converts(
    it: Interpreter,
    args: Arguments,
    node: cst.CSTNode,
    traced: Array | Tree,
    callee: str,
    exceptions: tuple[str, ...] = BOOL_ERRORS,
) -> Value:
    """A builtin converts its first argument, which is traced."""
    operand = node_at(args, node)
    it.emit(Conversion, node, traced, operand=operand, exceptions=exceptions, callee=callee)
    return UNKNOWN


def _tracer_of_number(value: Value, least: Level = Level.ABSTRACT) -> Array | Tree | None:
    """The tracer that must be a number here: a bare tree counts as one."""
    if isinstance(value, Tree) and value.level >= least and not value.container:
        return value
    return sure_array(value, least)


@family(*_NUMBERS)
def _number(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = first(args)
    special = call_special(it, value, f"__{name}__", node)
    if special is not None:
        value = special
    traced = _tracer_of_number(value, Level.ABSTRACT if name == "int" else Level.VALUE)
    if traced is not None and not args.star:
        return _converts(it, args, node, traced, name, _NUMBER_ERRORS)
    if isinstance(value, Const) and len(args.positional) == 1:
        with suppress(TypeError, ValueError, OverflowError):
            return Const(_NUMBERS[name](value.value))
    return Static(name)


@model("bool")
def _bool(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = first(args)
    traced = sure_array(value)
    if traced is not None:
        return _converts(it, args, node, traced, "bool")
    known = known_bool(value)
    if known is None and isinstance(value, Ref):
        known = truth(it, value, node_at(args, node), Conversion, callee="bool")
    return BOOL if known is None else Const(known)


@model("operator.truth", "operator.not_")
def _truth(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    traced = sure_array(first(args))
    return BOOL if traced is None else _converts(it, args, node, traced, callee(it, node))


@model("str", "repr", "ascii")
def _text(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = first(args)
    if isinstance(value, Const) and isinstance(value.value, (str, int)):
        return Const(str(value.value)) if len(str(value.value)) < 200 else STR
    text = text_of(it, value, node)
    return shown(it, value if text is None else text)


@model("format")
def _format(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    traced = sure_array(first(args))
    if traced is not None and args.get(1, "format_spec") not in (None, Const("")):
        _converts(it, args, node, traced, "format specification", ("TypeError",))
    return shown(it, first(args))


@model("len")
def _len(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    found = sequence_items(it, first(args))
    if found is not None and found[1] is not None:
        return Const(len(found[1]))
    contents = dict_contents(it, first(args))
    if contents is not None and contents.rest is None:
        return Const(len(contents.items))
    length = call_special(it, first(args), "__len__", node)
    traced = None if length is None else sure_array(length)
    if traced is not None:
        return _converts(it, args, node, traced, "len", INDEX_ERRORS)
    return length if isinstance(length, Const) else INT


@model("hash")
def _hash(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    traced = hashed_tracer(it, first(args))
    if traced is not None:
        operand = node_at(args, node)
        it.emit(Hash, node, traced, operand=operand, exceptions=HASH_ERRORS, construct="hash()")
        return UNKNOWN
    call_special(it, first(args), "__hash__", node)
    return INT


@model("range")
def _range(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    for index, value in enumerate(args.positional):
        traced = _tracer_of_number(value)
        if traced is not None:
            operand = node_at(args, node, index)
            it.emit(
                PythonIndex, node, traced, operand=operand, exceptions=INDEX_ERRORS,
                construct="range",
            )  # fmt: skip
            return UNKNOWN
    bounds = [constant(value) for value in args.positional]
    if bounds and all(type(bound) is int for bound in bounds):
        with suppress(ValueError, TypeError):
            numbers = range(*bounds)
            if len(numbers) <= 4:
                return Tuple(tuple(map(Const, numbers)), External("builtins.range"))
    return Static("range")


@model("slice")
def _slice(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    bounds = args.positional if len(args.positional) > 1 else [NONE, *args.positional]
    lower, upper, step = [*bounds, NONE, NONE, NONE][:3]
    return Slice((lower, upper, step))

"""Strings: literals, what formatting asks of a value, and which texts show a tracer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import libcst as cst

from jitlint.absint.events import Conversion
from jitlint.absint.limits import TEXT_LEVELS
from jitlint.absint.machine.always import SAME_TEXT, prints_alike
from jitlint.absint.machine.clock_signals import Asked
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import (
    comparable_tracer,
    find_traced,
    first_tracer,
    sure_array,
    sure_tree,
)
from jitlint.absint.machine.verbs import evaluates
from jitlint.absint.program.special_methods import call_special, shown_fields
from jitlint.absint.values.domain import (
    STR,
    UNKNOWN,
    Array,
    Certainty,
    Const,
    Level,
    Ref,
    Static,
    Text,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import DictObject
from jitlint.absint.values.traversal import fold
from jitlint.jaxmodel.concretization import FORMAT_ERRORS

_PERCENT: Final = r"%(?:\(([^)]*)\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?([a-zA-Z%])"


@evaluates(cst.SimpleString)
def _string(it: Interpreter, node: cst.SimpleString) -> Value:
    text = node.value
    quote = text[0]
    if quote in "'\"" and "\\" not in text:
        # Compiling each one is more than most need.
        width = 3 if text[:3] == quote * 3 else 1
        return Const(text[width:-width])
    return Const(node.evaluated_value)


@evaluates(cst.ConcatenatedString)
def _concatenated(it: Interpreter, node: cst.ConcatenatedString) -> Value:
    if node.evaluated_value is not None:
        return Const(node.evaluated_value)
    parts: list[Value] = []
    rest: cst.BaseExpression = node
    while isinstance(rest, cst.ConcatenatedString):
        parts += _shown_parts(it, rest.left)
        rest = rest.right
    return shown(it, *parts, *_shown_parts(it, rest))


@evaluates(cst.FormattedString)
def _formatted(it: Interpreter, node: cst.FormattedString) -> Value:
    return shown(it, *_shown_parts(it, node))


if hasattr(cst, "TemplatedString"):  # libcst knows them from 1.9 on

    @evaluates(cst.TemplatedString)
    def _template(it: Interpreter, node: cst.TemplatedString) -> Value:
        _evaluate_fields(it, node.parts)
        return UNKNOWN


def _evaluate_fields(
    it: Interpreter, parts: Iterable[cst.BaseTemplatedStringContent] | None
) -> None:
    """Evaluate the expressions in a template, which formats nothing by itself."""
    for part in parts or ():
        if isinstance(part, cst.TemplatedStringExpression):
            it.ev(part.expression)
            _evaluate_fields(it, part.format_spec)


def _shown_parts(it: Interpreter, node: cst.BaseExpression) -> list[Value]:
    """The values that a formatted string shows."""
    parts: list[Value] = []
    for part in node.parts if isinstance(node, cst.FormattedString) else ():
        if type(part) is cst.FormattedStringExpression:
            value = it.ev(part.expression)
            if it.trace is None:
                it.signal(Asked((value,), (part.expression,)))
            if part.format_spec and part.conversion is None:
                value = _with_format(it, value, part, part.format_spec, node)
            text = text_of(it, value, part.expression)
            parts.append(value if text is None else text)
    return parts


def _with_format(
    it: Interpreter,
    value: Value,
    part: cst.FormattedStringExpression,
    spec: Iterable[cst.BaseFormattedStringContent],
    text: cst.BaseExpression,
) -> Value:
    """A value that is formatted by a specification, which a tracer refuses if it says anything."""
    if isinstance(value, Tree) and value.certainty is Certainty.GUESS and _is_of_numbers(spec):
        value = Array(value.level, origin=value.origin)
    traced = sure_array(value, Level.VALUE) or sure_tree(value)
    if traced is not None and any(
        type(piece) is not cst.FormattedStringText or piece.value.strip() for piece in spec
    ):
        it.emit(
            Conversion,
            part.expression,
            traced,
            exceptions=("TypeError",),
            callee="format specification",
            always=frozenset({SAME_TEXT}) if shown_alike(it, text) else frozenset(),
        )
        value = UNKNOWN
    for piece in spec:
        if type(piece) is cst.FormattedStringExpression:
            it.ev(piece.expression)
    return value


def _is_of_numbers(spec: Iterable[cst.BaseFormattedStringContent]) -> bool:
    """Whether a specification is one that only numbers have: ``.2f``."""
    *_, last = spec
    return type(last) is cst.FormattedStringText and last.value[-1:] in tuple("eEfFgGd%")


def percent_format(it: Interpreter, text: Value, values: Value, node: cst.CSTNode) -> Value:
    """``text % values``."""
    if it.trace is None:
        right = (node.right,) if isinstance(node, cst.BinaryOperation) else ()
        it.signal(Asked((values,), right))
    if isinstance(text, Const):
        found = [(name, spec) for name, spec in re.findall(_PERCENT, text.value) if spec != "%"]
        items = values.items if isinstance(values, Tuple) else (values,)
        contents = it.contents(values) if isinstance(values, Ref) else None
        if isinstance(contents, DictObject):
            items = tuple(contents.items.get(name, UNKNOWN) for name, _ in found)
        for (_, spec), item in zip(found, items, strict=False):
            traced = comparable_tracer(item)
            if spec in "diouxXeEfFgGc" and traced is not None:
                it.emit(Conversion, node, traced, exceptions=FORMAT_ERRORS, callee="% formatting")
                return STR
    return shown(it, values)


# -- texts that show tracers ----------------------------------------------------------------------


def shown(it: Interpreter, *parts: Value) -> Static:
    """The text of some values: it shows a tracer where one of them does."""
    for part in parts:
        tracer = text_tracer(it, part) or find_traced(it, part)
        if tracer is not None:
            return Text(tracer)
    return STR


def shown_alike(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether the values in a formatted string are names of what prints alike when compiled."""
    if isinstance(node, cst.ConcatenatedString):
        return shown_alike(it, node.left) and shown_alike(it, node.right)
    if isinstance(node, cst.SimpleString):
        return True
    if not isinstance(node, cst.FormattedString):
        return False
    parts = (part for part in node.parts if isinstance(part, cst.FormattedStringExpression))
    return all(
        type(part.expression) is cst.Name and prints_alike(it.ev(part.expression)) for part in parts
    )


def text_of(it: Interpreter, value: Value, node: cst.CSTNode) -> Value | None:
    """The text that an object gives of itself, None if its class defines none, or nobody asks.

    What an exception says of an object is seen by whoever it stops.  Libraries word theirs with
    all that prints a tree of objects, which would cost a sixth of Flax.
    """
    if it.wording:
        return None
    for name in ("__str__", "__repr__"):
        text = call_special(it, value, name, node)
        if text is not None:
            return text
    return None


def text_tracer(it: Interpreter, value: Value, depth: int = TEXT_LEVELS) -> Array | Tree | None:
    """The tracer whose representation is in a text or a container of texts, None if in none."""

    def leaf(value: Value, depth: int) -> Array | Tree | None:
        if isinstance(value, Text):
            return value.tracer
        if not depth:
            return None
        if isinstance(value, Union):
            return first_tracer(text_tracer(it, member, depth) for member in value.members)
        fields = shown_fields(it, value) or ()
        tracer = first_tracer(find_traced(it, field) for field in fields)
        return tracer or first_tracer(text_tracer(it, field, depth - 1) for field in fields)

    return fold(value, it.contents, leaf, first_tracer, depth)

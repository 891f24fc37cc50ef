"""Builtins that need the number, truth, text or order of values: ``float(x)``, ``max(x, y)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import libcst as cst

from jitlint.absint.events import BuiltinComparison, Conversion, Hash, PythonIndex
from jitlint.absint.library.extents import extent_of, number
from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.always import facts_of_number, facts_of_operands
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, comparable_tracer, sure_array
from jitlint.absint.operations.comparison import compare
from jitlint.absint.operations.hashing import hashed_tracer
from jitlint.absint.operations.iteration import dict_contents, sequence_items
from jitlint.absint.operations.ordering import first_part, sorted_tracer, traced_key
from jitlint.absint.operations.strings import shown, text_of
from jitlint.absint.program.special_methods import call_special
from jitlint.absint.values.domain import (
    BOOL,
    INT,
    NONE,
    STR,
    TRUE,
    UNKNOWN,
    Array,
    Const,
    External,
    Level,
    Range,
    Ref,
    Slice,
    Static,
    Tree,
    Tuple,
    Value,
    known_bool,
    members_of,
)
from jitlint.absint.values.extents import Extent
from jitlint.absint.values.heap import Instance, ListObject
from jitlint.absint.values.lattice import join_all, type_name
from jitlint.absint.values.statics import constant
from jitlint.jaxmodel.concretization import BOOL_ERRORS, HASH_ERRORS, INDEX_ERRORS

_NUMBERS: Final[dict[str, Callable[[Any], Any]]] = {"int": int, "float": float, "complex": complex}
_NUMBER_ERRORS: Final = ("jax.errors.ConcretizationTypeError", "TypeError")


def _tracer_of_number(value: Value, least: Level = Level.ABSTRACT) -> Array | Tree | None:
    """The tracer that must be a number here: a bare tree counts as one."""
    if isinstance(value, Tree) and value.level >= least and not value.container:
        return value
    return sure_array(value, least)


@model(*_NUMBERS)
def _number(it: Interpreter, call: Call) -> Value:
    value = call.first
    special = call_special(it, value, f"__{call.name}__", call.node)
    if special is not None:
        value = special
    traced = _tracer_of_number(value, Level.ABSTRACT if call.name == "int" else Level.VALUE)
    if traced is not None and not call.args.star:
        always = facts_of_number(traced)
        return call.report(
            it, Conversion, traced, _NUMBER_ERRORS, call.place(), callee=call.name, always=always
        )
    if isinstance(value, Const) and len(call.positional) == 1:
        with suppress(TypeError, ValueError, OverflowError):
            return Const(_NUMBERS[call.name](value.value))
    return Static(call.name)


@model("bool")
def _bool(it: Interpreter, call: Call) -> Value:
    value = call.first
    traced = sure_array(value)
    if traced is not None:
        always = facts_of_number(traced)
        return call.report(
            it, Conversion, traced, BOOL_ERRORS, call.place(), callee="bool", always=always
        )
    known = known_bool(value)
    if known is None and isinstance(value, Ref):
        known = it.truth(value, call.place(), Conversion, callee="bool")
    return BOOL if known is None else Const(known)


@model("operator.truth", "operator.not_")
def _truth(it: Interpreter, call: Call) -> Value:
    traced = sure_array(call.first)
    if traced is None:
        return BOOL
    place, callee = call.place(), call.callee(it)
    return call.report(it, Conversion, traced, BOOL_ERRORS, place, callee=callee)


@model("str", "repr", "ascii")
def _text(it: Interpreter, call: Call) -> Value:
    value = call.first
    if isinstance(value, Const) and isinstance(value.value, (str, int)):
        return Const(str(value.value)) if len(str(value.value)) < 200 else STR
    text = text_of(it, value, call.node)
    return shown(it, value if text is None else text)


@model("format")
def _format(it: Interpreter, call: Call) -> Value:
    traced = sure_array(call.first)
    if traced is not None and call.args.get(1, "format_spec") not in (None, Const("")):
        place, callee = call.place(), "format specification"
        call.report(it, Conversion, traced, ("TypeError",), place, callee=callee)
    return shown(it, call.first)


@model("len")
def _len(it: Interpreter, call: Call) -> Value:
    found = sequence_items(it, call.first)
    if found is not None and found[1] is not None:
        return Const(len(found[1]))
    contents = dict_contents(it, call.first)
    if contents is not None and contents.rest is None:
        return Const(len(contents.items))
    length = call_special(it, call.first, "__len__", call.node)
    traced = None if length is None else sure_array(length)
    if traced is not None:
        return call.report(it, Conversion, traced, INDEX_ERRORS, call.place(), callee="len")
    if isinstance(length, Const):
        return length
    extent = extent_of(call.first)
    if isinstance(call.first, Static) and call.first.type == "shape":
        # The dimensions are counted.
        scalar = call.first.scalar
        return INT if scalar is None else INT.of_rank(scalar)
    if extent is None or not extent.shape:
        return INT
    return INT.of_extent(Extent(extent.shape[:1], extent.uniform, extent.outside))


@model("hash")
def _hash(it: Interpreter, call: Call) -> Value:
    traced = hashed_tracer(it, call.first)
    if traced is not None:
        return call.report(it, Hash, traced, HASH_ERRORS, call.place(), construct="hash()")
    call_special(it, call.first, "__hash__", call.node)
    return INT


def reports_bound(it: Interpreter, call: Call, start: int, construct: str) -> Value | None:
    """Report a traced argument where Python needs integers; the result if reported.

    Args:
      it: the interpreter.
      call: the call.
      start: the first argument that has to be one.
      construct: what needs it.
    """
    for index, value in enumerate(call.positional[start:], start):
        traced = _tracer_of_number(value)
        if traced is not None:
            place = call.place(index)
            return call.report(it, PythonIndex, traced, INDEX_ERRORS, place, construct=construct)
    return None


@model("range")
def _range(it: Interpreter, call: Call) -> Value:
    reported = reports_bound(it, call, 0, "range")
    if reported is not None:
        return reported
    bounds = [bound for value in call.positional if (bound := number(value)) is not None]
    if bounds and len(bounds) == len(call.positional):
        with suppress(ValueError, TypeError):
            numbers = range(*bounds)
            # What the calls that are seen pass is no more than that.
            certain = all(isinstance(value, Const) for value in call.positional)
            if certain and len(numbers) <= 4:
                return Tuple(tuple(map(Const, numbers)), External("builtins.range"))
            return Range(len(numbers), numbers if certain else None)
    return Static("range")


@model("slice")
def _slice(it: Interpreter, call: Call) -> Value:
    bounds = call.positional if len(call.positional) > 1 else [NONE, *call.positional]
    lower, upper, step = [*bounds, NONE, NONE, NONE][:3]
    return Slice((lower, upper, step))


def compares(
    it: Interpreter,
    call: Call,
    traced: Array | Tree,
    place: cst.CSTNode | None,
    builtin: str = "",
    *,
    entries: Iterable[Value] = (),
) -> Value:
    """A builtin asks a traced value, or a comparison of two, for its truth."""
    builtin = builtin or call.callee(it)
    return call.report(
        it,
        BuiltinComparison,
        traced,
        BOOL_ERRORS,
        place,
        builtin=builtin,
        several=len(call.positional) == 1 and not isinstance(call.first, (Array, Tree)),
        parts="key" in call.keywords or any(isinstance(entry, Tuple) for entry in entries),
        always=facts_of_operands(call.args.values()),
    )


def compare_objects(
    it: Interpreter, call: Call, candidates: Sequence[Value], op: type, builtin: str = ""
) -> None:
    """Compare objects of the project's classes as ``max``, ``min`` and sorting do."""
    if len(candidates) < 2 or not all(isinstance(c, Ref) for c in candidates[:2]):
        return
    left, right = candidates[1], candidates[0]
    if isinstance(it.contents(left), Instance):  # type: ignore[arg-type]
        node = call.node
        result = compare(it, op, left, right, node)
        it.truth(result, node, BuiltinComparison, builtin=builtin or call.callee(it))


@model("min", "max")
def _extreme(it: Interpreter, call: Call) -> Value:
    if "key" in call.keywords:
        return _by_key(it, call, call.callee(it))
    if len(call.positional) == 1:
        value = call.positional[0]
        if isinstance(value, Array):
            if value.level is Level.ABSTRACT:
                return compares(it, call, value, call.place())
            return array_result(it, (value,), rank=0, node=call.node)
        element, items = it.iterate(value, call.node)
        candidates = list(items) if items is not None else [element, element]
    else:
        candidates = list(call.positional)
        if call.args.star is not None:
            candidates.extend([call.args.star] * (1 if candidates else 2))
    if len(candidates) > 1:
        for candidate in candidates:
            traced = comparable_tracer(first_part(candidate))
            if traced is not None:
                return compares(it, call, traced, _place_of(call, candidate), entries=candidates)
        op = cst.GreaterThan if call.name == "max" else cst.LessThan
        compare_objects(it, call, candidates, op)
    constants = [constant(candidate) for candidate in candidates]
    if constants and all(isinstance(c, (int, float)) for c in constants):
        return Const((min if call.name == "min" else max)(constants))
    joined = join_all(candidates)
    if isinstance(joined, (Const, Static)) and type_name(joined) != "ndarray":
        return Static(type_name(joined))
    return UNKNOWN if UNKNOWN in members_of(joined) else joined


def _place_of(call: Call, value: Value) -> cst.CSTNode:
    for candidate, place in zip(call.positional, call.args.nodes, strict=False):
        if candidate is value:
            return place
    return call.place()


def _by_key(it: Interpreter, call: Call, builtin: str) -> Value:
    """Compare what ``key=`` makes of the elements; the result is one of them."""
    items: Sequence[Value] | None = call.positional
    if len(call.positional) == 1:
        element, items = it.iterate(call.first, call.node)
    else:
        element = join_all(call.positional)
    traced = traced_key(it, call.keywords["key"], element, items, call.node)
    if traced is not None:
        return compares(it, call, traced, call.place(), builtin)
    return element


@model("sorted")
def _sorted(it: Interpreter, call: Call) -> Value:
    if call.keywords.get("key", NONE) != NONE:
        return it.allocate(call.node, ListObject(None, _by_key(it, call, "sorted")))
    element, items = it.iterate(call.first, call.node)
    traced = sorted_tracer(element, items)
    if traced is not None:
        return compares(it, call, traced, call.place(), "sorted", entries=(element, *(items or ())))
    if items is None or len(items) > 1:
        compare_objects(it, call, items or (element, element), cst.LessThan, "sorted")
    # The order of static things is not followed, their kinds are.
    return it.allocate(call.node, ListObject(None, element, mutable=True))


@model("any", "all")
def _any_all(it: Interpreter, call: Call) -> Value:
    element, items = it.iterate(call.first, call.node)
    candidates = (element,) if items is None else items
    stops = call.name == "any"
    for candidate in candidates:
        traced = sure_array(candidate)
        if traced is not None:
            return compares(it, call, traced, call.place())
        if items is not None and isinstance(candidate, Const) and bool(candidate.value) is stops:
            # Nothing after it is asked.
            return Const(stops)
    known = [constant(candidate) for candidate in candidates]
    if all(answer is (not stops) for answer in known):
        return Const(not stops)
    found = any(TRUE in members_of(candidate) for candidate in candidates)
    if stops and found and "Tracer" in it.frame.parsed.source(call.node):
        # Without a leaf there is no tracer to be kept either.
        return TRUE
    return BOOL

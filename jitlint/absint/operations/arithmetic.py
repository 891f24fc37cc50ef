"""Arithmetic: what operators give, with one operand or two."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import product, zip_longest
from typing import Any, Final

import libcst as cst

from jitlint.absint.events import PythonIndex
from jitlint.absint.limits import FOLDED, FOLDED_EXPONENT
from jitlint.absint.machine.clock_signals import DurationCompared, Elapsed, WorkDispatched
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, comparable_tracer
from jitlint.absint.machine.verbs import evaluates
from jitlint.absint.operations.iteration import dict_contents, sequence_items
from jitlint.absint.operations.operators import METHODS, UNARY, overload_of
from jitlint.absint.operations.strings import percent_format
from jitlint.absint.program.buffers import reads
from jitlint.absint.program.special_methods import call_special, defines
from jitlint.absint.values.domain import (
    BOOL,
    INT,
    MADE_ROWS,
    NDARRAY,
    NONE,
    SHAPE,
    STATIC,
    STR,
    UNKNOWN,
    Array,
    Certainty,
    Class,
    Const,
    Duration,
    External,
    MadeArray,
    Reading,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.extents import Extent
from jitlint.absint.values.heap import DictObject, ListObject
from jitlint.absint.values.lattice import Elements, join_all, join_elements, type_name
from jitlint.absint.values.statics import constant, is_number, python_type

#: operators that are computed where both operands are known
_FOLD: Final[dict[type, Callable[[Any, Any], Any]]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.BitAnd: operator.and_,
    cst.BitOr: operator.or_,
    cst.Power: operator.pow,
    cst.LeftShift: operator.lshift,
}
#: whose results grow with what stands on the right
_GROWING: Final = (cst.Power, cst.LeftShift)
_BITWISE: Final = (cst.BitAnd, cst.BitOr, cst.BitXor)
#: operators that make durations of durations
_SCALES: Final = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide)
#: operators that set a duration in proportion to something
_RATIOS: Final = (cst.Divide, cst.FloorDivide)
_NOT_IMPLEMENTED: Final = External("builtins.NotImplemented")
#: operators that no text and no tuple has
_OF_NUMBERS: Final = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Power, cst.MatrixMultiply)


@evaluates(cst.BinaryOperation)
def _binary(it: Interpreter, node: cst.BinaryOperation) -> Value:
    left = it.ev(node.left)
    right = it.ev(node.right)
    reads(it, ((left, node.left), (right, node.right)))
    return binary(it, type(node.operator), left, right, node)


def binary(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """The value of ``left op right``."""
    if op is cst.Subtract and it.trace is None:
        spans = _spans(left, right)
        if spans:
            it.signal(Elapsed(spans, node))
            return Duration(spans, python_type(left))
    if isinstance(left, Union) or isinstance(right, Union):
        types = op is cst.BitOr
        ways = [members_of(value) if types else operands_of(value) for value in (left, right)]
        with it.speculating():
            return join_all(binary(it, op, a, b, node) for a, b in product(*ways))
    overload = overload_of(left) or overload_of(right)
    if overload is not None:
        return overload(it, op, left, right, node)
    if op in _RATIOS and Duration in (type(left), type(right)) and it.trace is None:
        it.signal(DurationCompared(left, right, node))
    if op is cst.Modulo and python_type(left) == "str":
        return percent_format(it, left, right, node)
    if isinstance(left, (Array, Tree)) or isinstance(right, (Array, Tree)):
        return _of_arrays(it, op, left, right, node)
    if isinstance(left, Const) and isinstance(right, Const):
        return _of_constants(op, left, right)
    if isinstance(left, (Const, Static)) and isinstance(right, (Const, Static)):
        return _of_statics(op, left, right)
    if op is cst.BitOr and _is_type(left) and _is_type(right):
        return Tuple((*_types(left), *_types(right)))
    if op in METHODS and _is_overloaded(it, op, left, right):
        return _overloaded(it, op, left, right, node)
    sequence = _of_sequences(it, op, left, right, node)
    return _overloaded(it, op, left, right, node) if sequence is None else sequence


def _spans(later: Value, earlier: Value) -> frozenset[tuple[int, int]]:
    """The pairs of readings of a clock between which a difference is the time.

    There are none where a name may stand for a number that was computed instead: it is bound to
    something else meanwhile.
    """
    if any(type(part) is Static for value in (later, earlier) for part in members_of(value)):
        return frozenset()
    return frozenset(
        (first, second)
        for end in members_of(later)
        if type(end) is Reading
        for start in members_of(earlier)
        if type(start) is Reading
        for first in start.numbers
        for second in end.numbers
    )


def operands_of(value: Value) -> Sequence[Value]:
    """The alternatives of a value that is ordered or reckoned with: ``None`` would raise."""
    members = members_of(value)
    return [member for member in members if member != NONE] or members


def _is_type(value: Value) -> bool:
    if isinstance(value, Tuple):
        return all(map(_is_type, value.items))
    return isinstance(value, (External, Class)) or value == NONE


def _types(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Tuple) else (value,)


# -- arrays ---------------------------------------------------------------------------------------


def _of_arrays(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    for mine, other in ((left, right), (right, left)):
        if not isinstance(mine, (Array, Tree)):
            continue
        if isinstance(other, (Tuple, Ref)):
            if op in METHODS and _is_overloaded(it, op, left, right):
                return _overloaded(it, op, left, right, node)
            if isinstance(other, Ref) and not isinstance(it.contents(other), ListObject):
                return _overloaded(it, op, left, right, node)
            # A list or tuple times a tracer: Python repeats a sequence by an integer.
            _check_repetition(it, op, mine, node, is_left=mine is left)
            return UNKNOWN
        if isinstance(mine, Tree) and mine.container:
            return Tree(mine.level, certainty=mine.certainty, container=True, origin=mine.origin)
        if python_type(other) == "str":
            _check_repetition(it, op, mine, node, is_left=mine is left)
            return UNKNOWN
    pair = (as_number(left, right, op), as_number(right, left, op))
    dtype = None
    if op in _BITWISE:
        kinds = {v.dtype if isinstance(v, Array) else python_type(v) for v in pair}
        dtype = "bool" if kinds == {"bool"} else None
    ranks = [v.rank if isinstance(v, Array) else (0 if is_number(v) else None) for v in pair]
    known = [rank for rank in ranks if rank is not None]
    rank = max(known) if len(known) == len(ranks) else None
    if it.trace is None:
        it.signal(WorkDispatched(op.__name__, node))
    like = pair if op is not cst.MatrixMultiply else ()
    extent = _extent(left, right) if op is not cst.MatrixMultiply else None
    return array_result(
        it, pair, dtype=dtype, rank=rank, node=node, operator=True, like=like, extent=extent
    )


def _check_repetition(
    it: Interpreter, op: type, count: Value, node: cst.CSTNode, *, is_left: bool
) -> None:
    """``[0] * n``: Python asks what a list, tuple or text is multiplied by for an integer.

    An array is none, traced or not: code that catches the error expects it.
    """
    traced = comparable_tracer(count) if op is cst.Multiply else None
    number = isinstance(traced, Array) and traced.python_type is not None
    if traced is not None and (number or not it.is_caught("TypeError")):
        where = node
        if isinstance(node, cst.BinaryOperation):
            where = node.left if is_left else node.right
        elif isinstance(node, cst.AugAssign):
            where = node.target if is_left else node.value
        it.emit(
            PythonIndex,
            node,
            traced,
            operand=where,
            exceptions=("TypeError",),
            construct="sequence repetition",
        )


def as_number(value: Value, other: Value, op: type | None = None) -> Value:
    """What is reckoned or compared with a number is one, whatever it was guessed to be."""
    if (
        isinstance(value, Tree)
        and value.certainty is Certainty.GUESS
        and (op in _OF_NUMBERS or is_number(other) or isinstance(other, Array))
    ):
        return Array(value.level, origin=value.origin)
    return value


# -- static values --------------------------------------------------------------------------------


def _of_constants(op: type, left: Const, right: Const) -> Value:
    function = _FOLD.get(op)
    sides = (left.value, right.value)
    numbers = all(isinstance(side, (int, float)) for side in sides)
    if function is None or any(map(_is_large, sides)) or (op is cst.Multiply and not numbers):
        return _of_statics(op, left, right)
    if op in _GROWING and (not numbers or abs(right.value) > FOLDED_EXPONENT):
        return _of_statics(op, left, right)
    try:
        return Const(function(left.value, right.value))
    except Exception:  # the program's own error, not ours to report
        return STATIC


def _is_large(constant: object) -> bool:
    if isinstance(constant, (int, float)):
        return abs(constant) > FOLDED**3
    return isinstance(constant, (str, bytes)) and len(constant) > FOLDED


def _extent(left: Value, right: Value) -> Extent | None:
    """The size of what is made of an array and a number, or of two arrays."""
    found = [_extent_of_array(side) for side in (left, right) if not is_number(side)]
    extents = [extent for extent in found if extent is not None]
    if not extents or len(extents) < len(found):
        return None
    # What has no dimension is a number, too.
    arrays = [extent for extent in extents if extent.shape] or extents[:1]
    if len(arrays) == 1:
        return arrays[0]
    shape = _broadcast(extent.shape for extent in arrays)
    uniform = all(extent.uniform for extent in arrays)
    outside = all(extent.outside for extent in arrays)
    return None if shape is None else Extent(shape, uniform, outside)


def _broadcast(shapes: Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The shape that NumPy's rules give, None where the shapes do not fit."""
    lengths: list[int] = []
    for column in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        others = {length for length in column if length != 1}
        if len(others) > 1:
            return None
        lengths.append(others.pop() if others else 1)
    return tuple(reversed(lengths))


def _extent_of_array(value: Value) -> Extent | None:
    if isinstance(value, Static):
        return value.extent if value.type == "ndarray" else None
    return value.extent if isinstance(value, Array) else None


def _of_statics(op: type, left: Const | Static, right: Const | Static) -> Value:
    kinds = {type_name(left), type_name(right)}
    if Duration in (type(left), type(right)) and op in _SCALES:
        return _scaled(left, right)
    if None in kinds:
        return STATIC
    if "ndarray" in kinds:
        made = MadeArray(dimensions=True) if MADE_ROWS in (left, right) else NDARRAY
        extent = None if op is cst.MatrixMultiply else _extent(left, right)
        return made if extent is None else made.of_extent(extent)
    if kinds == {"shape"}:
        return SHAPE
    if "str" in kinds:
        return STR
    if op is cst.Divide and kinds <= {"int", "bool", "float"}:
        return Static("float")
    if kinds <= {"int", "bool"}:
        return BOOL if op in _BITWISE and kinds == {"bool"} else INT
    return Static("float") if kinds <= {"int", "float", "bool"} else STATIC


def _scaled(left: Const | Static, right: Const | Static) -> Value:
    """A number that was made of durations."""
    sides = [side for side in (left, right) if isinstance(side, Duration)]
    return Duration(frozenset().union(*(side.spans for side in sides)), sides[0].type)


# -- sequences and objects ------------------------------------------------------------------------


def _of_sequences(
    it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode
) -> Value | None:
    if op is cst.Add:
        a, b = sequence_items(it, left), sequence_items(it, right)
        return None if a is None or b is None else _concatenated(it, left, right, a, b, node)
    if op is cst.Multiply:
        for sequence, count in ((left, right), (right, left)):
            repeated = sequence_items(it, sequence)
            if repeated is not None and isinstance(count, (Const, Static)):
                return _repeated(it, sequence, repeated, constant(count), node)
    return None


def _concatenated(
    it: Interpreter, left: Value, right: Value, a: Elements, b: Elements, node: cst.CSTNode
) -> Value:
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return Tuple(left.items + right.items)
    element = join_elements(a, b)
    if not isinstance(left, Ref):
        return it.allocate(node, ListObject(None, element), "tuple")
    items = None if a[1] is None or b[1] is None else (*a[1], *b[1])
    return it.allocate(node, ListObject(items, element, mutable=it.is_mutable(left)))


def _repeated(
    it: Interpreter, sequence: Value, elements: Elements, count: Any, node: cst.CSTNode
) -> Value:
    element, items = elements
    mutable = isinstance(sequence, Ref) and it.is_mutable(sequence)
    repeated: tuple[Value, ...] | None = None
    if items is not None and type(count) is int and 0 <= count * len(items) <= it.limits.items:
        repeated = tuple(items) * max(count, 0)
        if isinstance(sequence, Tuple):
            return Tuple(repeated)
    return it.allocate(node, ListObject(repeated, element, mutable=mutable))


def _is_overloaded(it: Interpreter, op: type, left: Value, right: Value) -> bool:
    """Whether a named tuple has an operator of its own: ``position + step``."""
    name = METHODS[op]
    return defines(it, left, f"__{name}__") or defines(it, right, f"__r{name}__")


def _overloaded(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    name = METHODS.get(op)
    for mine, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
        result = call_special(it, mine, method, node, other)
        if result is None:
            continue
        # Python does not give that out: it asks the other operand, or raises.
        given = [member for member in members_of(result) if member != _NOT_IMPLEMENTED]
        if given:
            return join_all(given)
    if op is cst.BitOr:
        a, b = dict_contents(it, left), dict_contents(it, right)
        if a is not None and b is not None:
            rest = a.rest if b.rest is None else b.rest
            return it.allocate(node, DictObject({**a.items, **b.items}, rest))
    return UNKNOWN


# -- one operand ----------------------------------------------------------------------------------


def unary(it: Interpreter, node: cst.UnaryOperation) -> Value:
    """The value of ``-x``, ``+x`` or ``~x``."""
    value = it.ev(node.expression)
    reads(it, ((value, node.expression),))
    return join_all(_apply_unary(it, node, member) for member in members_of(value))


def _apply_unary(it: Interpreter, node: cst.UnaryOperation, value: Value) -> Value:
    if isinstance(value, Array):
        return array_result(
            it, (value,), dtype=value.dtype, rank=value.rank, node=node, like=(value,)
        )
    if isinstance(value, Tree):
        return UNKNOWN if value.container else array_result(it, (value,), node=node, like=(value,))
    if isinstance(value, Const) and isinstance(value.value, (int, float, complex)):
        if type(node.operator) is cst.Minus:
            return Const(-value.value)
        if type(node.operator) is cst.Plus:
            return Const(+value.value)
        return INT
    if isinstance(value, Static):
        return INT if value.type == "bool" else value
    overload = overload_of(value)
    if overload is not None:
        return overload(it, type(node.operator), value, NONE, node)
    name = UNARY.get(type(node.operator))
    result = None if name is None else call_special(it, value, name, node)
    return UNKNOWN if result is None else result

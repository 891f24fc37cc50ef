"""What may be so each time that an event is seen, in words that fixes know.

Whoever emits an event says which of these hold.  Where the same code runs in several ways, only
what all of them have in common stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from jitlint.absint.values.domain import NONE, Array, Const, Slice, Static, Text, Tuple, Value
from jitlint.absint.values.statics import is_number

#: an index of integers, slices, None and an ellipsis, which names no element twice
BASIC_INDEX: Final = "basic index"
#: a single index, which is an array of truth values
MASK: Final = "mask"
#: the mask is all of the index, and has as many dimensions as the array
WHOLE_MASK: Final = "whole mask"
#: what is indexed or converted holds fractions
FRACTIONS: Final = "fractions"
#: it holds whole numbers
INTEGERS: Final = "integers"
#: what is stored is an array or a number
NUMERIC_VALUE: Final = "numeric value"
#: what is stored is a number, or an array without dimensions
SCALAR_VALUE: Final = "scalar value"
#: all operands are arrays or numbers without dimensions
SCALARS: Final = "scalars"
#: all operands are arrays, numbers or None
ARRAYS: Final = "arrays"
#: what is searched is a list, a tuple or a range
SEQUENCE: Final = "sequence"
#: all operands are truth values
BOOLEANS: Final = "booleans"
#: what is shown are values, and texts that are made of them where they are shown
SHOWS_VALUES: Final = "shows values"
#: all that is shown prints the same from a compiled program
SAME_TEXT: Final = "same text"

_EXACT_TYPES: Final = frozenset({"str", "int", "bool", "dtype"})


def facts_of_store(index: Value, value: Value) -> frozenset[str]:
    """What is so of ``x[index] = value``."""
    found = set()
    parts = index.items if isinstance(index, Tuple) else (index,)
    if all(map(_is_basic, parts)):
        found.add(BASIC_INDEX)
    if len(parts) == 1 and isinstance(index, Array) and index.dtype == "bool":
        found.add(MASK)
    if isinstance(value, Array) or is_number(value):
        found.add(NUMERIC_VALUE)
        if is_scalar(value):
            found.add(SCALAR_VALUE)
    return frozenset(found)


def facts_of_mask(array: Array, index: Value) -> frozenset[str]:
    """What is so of ``x[index]`` where there is a mask."""
    found = {{"float": FRACTIONS, "int": INTEGERS}.get(array.dtype or "", "")} - {""}
    if isinstance(index, Array) and index.rank is not None and index.rank == array.rank:
        found.add(WHOLE_MASK)
    return frozenset(found)


def facts_of_number(value: Value) -> frozenset[str]:
    """What is so of what is made a number."""
    kinds = {"float": FRACTIONS, "int": INTEGERS, "bool": BOOLEANS}
    kind = kinds.get(value.dtype or "") if isinstance(value, Array) else None
    return frozenset() if kind is None else frozenset({kind})


def facts_of_operands(values: Iterable[Value]) -> frozenset[str]:
    """What is so of all that an operator or a function is given."""
    operands = list(values)
    found = set()
    if all(isinstance(value, Array) or is_number(value) or value == NONE for value in operands):
        found.add(ARRAYS)
    if all(map(is_scalar, operands)):
        found.add(SCALARS)
    if all(map(is_boolean, operands)):
        found.add(BOOLEANS)
    return frozenset(found)


def holds_array(name: str) -> str:
    """In words: a variable of the function holds an array."""
    return f"{name} is an array"


def facts_of_names(variables: Mapping[str, Value]) -> frozenset[str]:
    """Which variables hold arrays."""
    return frozenset(
        holds_array(name) for name, value in variables.items() if isinstance(value, Array)
    )


def is_scalar(value: Value) -> bool:
    """Whether a value is a number, or an array without dimensions, for sure."""
    return value.rank == 0 if isinstance(value, Array) else is_number(value)


def is_boolean(value: Value) -> bool:
    """Whether a value is a truth value, or an array of them, for sure."""
    if isinstance(value, Array):
        return value.dtype == "bool"
    if isinstance(value, Const):
        return type(value.value) is bool
    return isinstance(value, Static) and value.type == "bool"


def prints_alike(value: Value) -> bool:
    """Whether a compiled program prints a value as Python does.

    Python's floats and sequences reach it as arrays, which show other digits.
    """
    if isinstance(value, Array):
        return value.python_type is None and value.dtype != "key"
    if isinstance(value, Const):
        return value.value is None or type(value.value) in (str, int, bool)
    if isinstance(value, Text):
        return False
    return isinstance(value, Static) and value.type in _EXACT_TYPES


def _is_basic(part: Value) -> bool:
    if isinstance(part, Slice):
        return True
    if isinstance(part, Array):
        return part.rank == 0 and part.dtype == "int"
    if isinstance(part, Const):
        return part.value is None or part.value is ... or type(part.value) is int
    return isinstance(part, Static) and part.type == "int"

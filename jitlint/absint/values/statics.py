"""What can be said of single values without the heap: constants, numbers, aliases."""

from __future__ import annotations

from typing import Any

from jitlint.absint.values.domain import (
    Const,
    EnumMember,
    Slice,
    Static,
    Tuple,
    Value,
)
from jitlint.absint.values.lattice import type_name


def constant(value: Value | None) -> Any:
    """The Python constant of a value, ``...`` if it has none."""
    if isinstance(value, Const):
        return value.value
    if isinstance(value, Tuple):
        parts = tuple(constant(item) for item in value.items)
        return ... if ... in parts else parts
    return ...


def is_number(value: Value) -> bool:
    """Whether a value is certainly a Python number."""
    return python_type(value) in ("int", "float", "bool", "complex")


def is_int_or_float(value: Value) -> bool:
    """Whether a value is certainly an integer or a float of Python, and no flag."""
    return python_type(value) in ("int", "float")


def python_type(value: Value) -> str | None:
    """The Python type of a value that is no tracer, None for all others."""
    return type_name(value) if isinstance(value, (Const, Static)) else None


def known_slice(index: Slice) -> slice | None:
    """The slice that cuts a list, None if it is not known."""
    parts = [part.value if isinstance(part, Const) else ... for part in index.parts]
    known = all(isinstance(part, (int, type(None))) for part in parts) and parts[2] != 0
    return slice(*parts) if known else None


def may_be_aliases(left: EnumMember, right: EnumMember) -> bool:
    """Whether two names may stand for one member: those of other classes, or of mixed ones."""
    return left.name.rpartition(".")[0] != right.name.rpartition(".")[0]

"""Python's operators: their symbols, and the special methods that define them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import libcst as cst

from jitlint.absint.values.domain import External, ExternalInstance, Value

_BINARY: Final[dict[type, tuple[str, str]]] = {
    cst.Add: ("+", "add"),
    cst.Subtract: ("-", "sub"),
    cst.Multiply: ("*", "mul"),
    cst.MatrixMultiply: ("@", "matmul"),
    cst.Divide: ("/", "truediv"),
    cst.FloorDivide: ("//", "floordiv"),
    cst.Modulo: ("%", "mod"),
    cst.Power: ("**", "pow"),
    cst.BitAnd: ("&", "and"),
    cst.BitOr: ("|", "or"),
    cst.BitXor: ("^", "xor"),
    cst.LeftShift: ("<<", "lshift"),
    cst.RightShift: (">>", "rshift"),
}
_COMPARISONS: Final[dict[type, tuple[str, str]]] = {
    cst.LessThan: ("<", "lt"),
    cst.LessThanEqual: ("<=", "le"),
    cst.GreaterThan: (">", "gt"),
    cst.GreaterThanEqual: (">=", "ge"),
    cst.Equal: ("==", "eq"),
    cst.NotEqual: ("!=", "ne"),
}
#: the operator as it is written, by its node's class
SYMBOLS: Final = {op: symbol for op, (symbol, _) in (_BINARY | _COMPARISONS).items()}
#: its special method without the underscores: also its name in the module ``operator``
METHODS: Final = {op: method for op, (_, method) in (_BINARY | _COMPARISONS).items()}
#: the operator of each augmented assignment
AUGMENTED: Final[dict[type, type]] = {getattr(cst, f"{op.__name__}Assign"): op for op in _BINARY}
#: the comparison that the right operand is asked where the left one defines none
REFLECTED: Final[dict[type, type]] = {
    cst.LessThan: cst.GreaterThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThan: cst.LessThan,
    cst.GreaterThanEqual: cst.LessThanEqual,
    cst.Equal: cst.Equal,
    cst.NotEqual: cst.NotEqual,
}
UNARY: Final = {cst.Minus: "__neg__", cst.Plus: "__pos__", cst.BitInvert: "__invert__"}

#: ``overload(it, op, left, right, node)``; the operator is ``cst.Subscript`` for ``left[right]``
Overload = Callable[[Any, type, Value, Value, cst.CSTNode], Value]
_OVERLOADS: Final[dict[str, Overload]] = {}


def overloads(name: str) -> Callable[[Overload], Overload]:
    """Register what operators do with a class of a library, and with its objects."""

    def register(overload: Overload) -> Overload:
        return _OVERLOADS.setdefault(name, overload)

    return register


def overload_of(value: Value) -> Overload | None:
    """What operators do with a value of a library that defines them, None for all else."""
    if type(value) is ExternalInstance:
        return _OVERLOADS.get(value.cls)
    return _OVERLOADS.get(value.name) if type(value) is External else None

"""Python's operators: their symbols, and the special methods that define them."""

from __future__ import annotations

from typing import Final

import libcst as cst

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

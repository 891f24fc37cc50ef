"""Operators: what differs between two of a class is trivia."""

from __future__ import annotations

from jitlint.absint.cst.base import CSTNode


class BaseUnaryOp(CSTNode):
    """An operator before its operand."""

    __slots__ = ()


class Minus(BaseUnaryOp):
    """``-``."""

    __slots__ = ()


class Plus(BaseUnaryOp):
    """``+``."""

    __slots__ = ()


class Not(BaseUnaryOp):
    """``not``."""

    __slots__ = ()


class BitInvert(BaseUnaryOp):
    """``~``."""

    __slots__ = ()


class BaseBinaryOp(CSTNode):
    """An operator between two operands."""

    __slots__ = ()


class Add(BaseBinaryOp):
    """``+``."""

    __slots__ = ()


class Subtract(BaseBinaryOp):
    """``-``."""

    __slots__ = ()


class Multiply(BaseBinaryOp):
    """``*``."""

    __slots__ = ()


class Divide(BaseBinaryOp):
    """``/``."""

    __slots__ = ()


class FloorDivide(BaseBinaryOp):
    """``//``."""

    __slots__ = ()


class Modulo(BaseBinaryOp):
    """``%``."""

    __slots__ = ()


class Power(BaseBinaryOp):
    """``**``."""

    __slots__ = ()


class MatrixMultiply(BaseBinaryOp):
    """``@``."""

    __slots__ = ()


class LeftShift(BaseBinaryOp):
    """``<<``."""

    __slots__ = ()


class RightShift(BaseBinaryOp):
    """``>>``."""

    __slots__ = ()


class BitOr(BaseBinaryOp):
    """``|``."""

    __slots__ = ()


class BitXor(BaseBinaryOp):
    """``^``."""

    __slots__ = ()


class BitAnd(BaseBinaryOp):
    """``&``."""

    __slots__ = ()


class BaseAugOp(CSTNode):
    """The operator of an augmented assignment."""

    __slots__ = ()


class AddAssign(BaseAugOp):
    """``+=``."""

    __slots__ = ()


class SubtractAssign(BaseAugOp):
    """``-=``."""

    __slots__ = ()


class MultiplyAssign(BaseAugOp):
    """``*=``."""

    __slots__ = ()


class DivideAssign(BaseAugOp):
    """``/=``."""

    __slots__ = ()


class FloorDivideAssign(BaseAugOp):
    """``//=``."""

    __slots__ = ()


class ModuloAssign(BaseAugOp):
    """``%=``."""

    __slots__ = ()


class PowerAssign(BaseAugOp):
    """``**=``."""

    __slots__ = ()


class MatrixMultiplyAssign(BaseAugOp):
    """``@=``."""

    __slots__ = ()


class LeftShiftAssign(BaseAugOp):
    """``<<=``."""

    __slots__ = ()


class RightShiftAssign(BaseAugOp):
    """``>>=``."""

    __slots__ = ()


class BitOrAssign(BaseAugOp):
    """``|=``."""

    __slots__ = ()


class BitXorAssign(BaseAugOp):
    """``^=``."""

    __slots__ = ()


class BitAndAssign(BaseAugOp):
    """``&=``."""

    __slots__ = ()


class BaseBooleanOp(CSTNode):
    """``and`` or ``or``."""

    __slots__ = ()


class And(BaseBooleanOp):
    """``and``."""

    __slots__ = ()


class Or(BaseBooleanOp):
    """``or``."""

    __slots__ = ()


class BaseCompOp(CSTNode):
    """An operator of a comparison."""

    __slots__ = ()


class Equal(BaseCompOp):
    """``==``."""

    __slots__ = ()


class NotEqual(BaseCompOp):
    """``!=``."""

    __slots__ = ()


class LessThan(BaseCompOp):
    """``<``."""

    __slots__ = ()


class LessThanEqual(BaseCompOp):
    """``<=``."""

    __slots__ = ()


class GreaterThan(BaseCompOp):
    """``>``."""

    __slots__ = ()


class GreaterThanEqual(BaseCompOp):
    """``>=``."""

    __slots__ = ()


class Is(BaseCompOp):
    """``is``."""

    __slots__ = ()


class IsNot(BaseCompOp):
    """``is not``."""

    __slots__ = ()


class In(BaseCompOp):
    """``in``."""

    __slots__ = ()


class NotIn(BaseCompOp):
    """``not in``."""

    __slots__ = ()

"""Expressions."""

from __future__ import annotations

from collections.abc import Sequence

from jitlint.absint.cst.base import BaseExpression, BaseSlice, CSTNode
from jitlint.absint.cst.operators import BaseBinaryOp, BaseBooleanOp, BaseCompOp, BaseUnaryOp


class Name(BaseExpression):
    """An identifier, or ``None``, ``True``, ``False``."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value


class Attribute(BaseExpression):
    """``value.attr``."""

    __slots__ = ("attr", "value")
    fields = ("value", "attr")

    def __init__(self, value: BaseExpression, attr: Name) -> None:
        self.value = value
        self.attr = attr


class Call(BaseExpression):
    """``func(args)``."""

    __slots__ = ("args", "func")
    fields = ("func", "args")

    def __init__(self, func: BaseExpression, args: Sequence[Arg]) -> None:
        self.func = func
        self.args = args


class Arg(CSTNode):
    """An argument of a call or of a class; ``star`` is one of ``""``, ``"*"``, ``"**"``."""

    __slots__ = ("keyword", "star", "value")
    fields = ("value", "keyword")

    def __init__(self, value: BaseExpression, keyword: Name | None, star: str) -> None:
        self.value = value
        self.keyword = keyword
        self.star = star


class Subscript(BaseExpression):
    """``value[slice]``."""

    __slots__ = ("slice", "value")
    fields = ("value", "slice")

    def __init__(self, value: BaseExpression, slice: Sequence[SubscriptElement]) -> None:
        self.value = value
        self.slice = slice


class SubscriptElement(CSTNode):
    """One part of a subscript; ``comma`` says that it is all of a tuple: ``x[i,]``."""

    __slots__ = ("comma", "slice")
    fields = ("slice",)

    def __init__(self, slice: BaseSlice, comma: bool) -> None:
        self.slice = slice
        self.comma = comma


class Index(BaseSlice):
    """A part of a subscript that is no slice; ``star`` is ``"*"`` before an unpacked one."""

    __slots__ = ("star", "value")
    fields = ("value",)

    def __init__(self, value: BaseExpression, star: str | None) -> None:
        self.value = value
        self.star = star


class Slice(BaseSlice):
    """``lower:upper:step``."""

    __slots__ = ("lower", "step", "upper")
    fields = ("lower", "upper", "step")

    def __init__(
        self,
        lower: BaseExpression | None,
        upper: BaseExpression | None,
        step: BaseExpression | None,
    ) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step


class UnaryOperation(BaseExpression):
    """``operator expression``."""

    __slots__ = ("expression", "operator")
    fields = ("expression",)

    def __init__(self, operator: BaseUnaryOp, expression: BaseExpression) -> None:
        self.operator = operator
        self.expression = expression


class BinaryOperation(BaseExpression):
    """``left operator right``."""

    __slots__ = ("left", "operator", "right")
    fields = ("left", "right")

    def __init__(self, left: BaseExpression, operator: BaseBinaryOp, right: BaseExpression) -> None:
        self.left = left
        self.operator = operator
        self.right = right


class BooleanOperation(BaseExpression):
    """``left and right``, ``left or right``."""

    __slots__ = ("left", "operator", "right")
    fields = ("left", "right")

    def __init__(
        self, left: BaseExpression, operator: BaseBooleanOp, right: BaseExpression
    ) -> None:
        self.left = left
        self.operator = operator
        self.right = right


class Comparison(BaseExpression):
    """``left < a < b``."""

    __slots__ = ("comparisons", "left")
    fields = ("left", "comparisons")

    def __init__(self, left: BaseExpression, comparisons: Sequence[ComparisonTarget]) -> None:
        self.left = left
        self.comparisons = comparisons


class ComparisonTarget(CSTNode):
    """One operator of a comparison, and what follows it."""

    __slots__ = ("comparator", "operator")
    fields = ("comparator",)

    def __init__(self, operator: BaseCompOp, comparator: BaseExpression) -> None:
        self.operator = operator
        self.comparator = comparator


class IfExp(BaseExpression):
    """``body if test else orelse``."""

    __slots__ = ("body", "orelse", "test")
    fields = ("test", "body", "orelse")

    def __init__(self, test: BaseExpression, body: BaseExpression, orelse: BaseExpression) -> None:
        self.test = test
        self.body = body
        self.orelse = orelse


class NamedExpr(BaseExpression):
    """``(target := value)``."""

    __slots__ = ("target", "value")
    fields = ("target", "value")

    def __init__(self, target: BaseExpression, value: BaseExpression) -> None:
        self.target = target
        self.value = value


class Await(BaseExpression):
    """``await expression``."""

    __slots__ = ("expression",)
    fields = ("expression",)

    def __init__(self, expression: BaseExpression) -> None:
        self.expression = expression


class Yield(BaseExpression):
    """``yield value``, ``yield from value``."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: BaseExpression | From | None) -> None:
        self.value = value


class From(CSTNode):
    """``from item`` of a yield or a raise."""

    __slots__ = ("item",)
    fields = ("item",)

    def __init__(self, item: BaseExpression) -> None:
        self.item = item


class Lambda(BaseExpression):
    """``lambda params: body``."""

    __slots__ = ("body", "params")
    fields = ("params", "body")

    def __init__(self, params: Parameters, body: BaseExpression) -> None:
        self.params = params
        self.body = body


class Parameters(CSTNode):
    """The parameters of a function or lambda."""

    __slots__ = ("kwonly_params", "params", "posonly_params", "star_arg", "star_kwarg")
    fields = ("params", "star_arg", "kwonly_params", "star_kwarg", "posonly_params")

    def __init__(
        self,
        params: Sequence[Param],
        star_arg: Param | ParamStar | None,
        kwonly_params: Sequence[Param],
        star_kwarg: Param | None,
        posonly_params: Sequence[Param],
    ) -> None:
        self.params = params
        self.star_arg = star_arg
        self.kwonly_params = kwonly_params
        self.star_kwarg = star_kwarg
        self.posonly_params = posonly_params


class Param(CSTNode):
    """A parameter; ``star`` is one of ``""``, ``"*"``, ``"**"``."""

    __slots__ = ("annotation", "default", "name", "star")
    fields = ("name", "annotation", "default")

    def __init__(
        self, name: Name, annotation: Annotation | None, default: BaseExpression | None, star: str
    ) -> None:
        self.name = name
        self.annotation = annotation
        self.default = default
        self.star = star


class ParamStar(CSTNode):
    """The bare ``*`` before parameters that are passed by name alone."""

    __slots__ = ()


class Annotation(CSTNode):
    """What stands behind the colon or the arrow."""

    __slots__ = ("annotation",)
    fields = ("annotation",)

    def __init__(self, annotation: BaseExpression) -> None:
        self.annotation = annotation

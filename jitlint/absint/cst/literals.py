"""Literals and displays, with comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jitlint.absint.cst.base import (
    BaseDictElement,
    BaseElement,
    BaseExpression,
    BaseFormattedStringContent,
    CSTNode,
)

if TYPE_CHECKING:
    from jitlint.absint.cst.statements import Asynchronous


class Integer(BaseExpression):
    """An integer as it is written."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value


class Float(BaseExpression):
    """A float as it is written."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value


class Imaginary(BaseExpression):
    """An imaginary number as it is written."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value


class SimpleString(BaseExpression):
    """A string or bytes as it is written; several side by side are one."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    @property
    def evaluated_value(self) -> str | bytes:
        """What it says.

        Raises:
          ValueError: it is not what a string looks like.
        """
        value = ast.literal_eval(self.value)
        if not isinstance(value, (str, bytes)):
            raise ValueError(f"{self.value} is no string")
        return value


class FormattedString(BaseExpression):
    """``f"{x}"``."""

    __slots__ = ("parts",)
    fields = ("parts",)

    def __init__(self, parts: Sequence[BaseFormattedStringContent]) -> None:
        self.parts = parts


class FormattedStringText(BaseFormattedStringContent):
    """Text within a formatted string."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value


class FormattedStringExpression(BaseFormattedStringContent):
    """``{expression!conversion:format_spec}``."""

    __slots__ = ("conversion", "expression", "format_spec")
    fields = ("expression", "format_spec")

    def __init__(
        self,
        expression: BaseExpression,
        conversion: str | None,
        format_spec: Sequence[BaseFormattedStringContent] | None,
    ) -> None:
        self.expression = expression
        self.conversion = conversion
        self.format_spec = format_spec


class Ellipsis(BaseExpression):
    """``...``."""

    __slots__ = ()


class Tuple(BaseExpression):
    """``(a, b)``."""

    __slots__ = ("elements",)
    fields = ("elements",)

    def __init__(self, elements: Sequence[BaseElement]) -> None:
        self.elements = elements


class List(BaseExpression):
    """``[a, b]``."""

    __slots__ = ("elements",)
    fields = ("elements",)

    def __init__(self, elements: Sequence[BaseElement]) -> None:
        self.elements = elements


class Set(BaseExpression):
    """``{a, b}``."""

    __slots__ = ("elements",)
    fields = ("elements",)

    def __init__(self, elements: Sequence[BaseElement]) -> None:
        self.elements = elements


class Element(BaseElement):
    """An element of a display."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: BaseExpression) -> None:
        self.value = value


class StarredElement(BaseElement, BaseExpression):
    """``*value``."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: BaseExpression) -> None:
        self.value = value


class Dict(BaseExpression):
    """``{key: value}``."""

    __slots__ = ("elements",)
    fields = ("elements",)

    def __init__(self, elements: Sequence[BaseDictElement]) -> None:
        self.elements = elements


class DictElement(BaseDictElement):
    """``key: value``."""

    __slots__ = ("key", "value")
    fields = ("key", "value")

    def __init__(self, key: BaseExpression, value: BaseExpression) -> None:
        self.key = key
        self.value = value


class StarredDictElement(BaseDictElement):
    """``**value``."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: BaseExpression) -> None:
        self.value = value


class ListComp(BaseExpression):
    """``[elt for ...]``."""

    __slots__ = ("elt", "for_in")
    fields = ("elt", "for_in")

    def __init__(self, elt: BaseExpression, for_in: CompFor) -> None:
        self.elt = elt
        self.for_in = for_in


class SetComp(BaseExpression):
    """``{elt for ...}``."""

    __slots__ = ("elt", "for_in")
    fields = ("elt", "for_in")

    def __init__(self, elt: BaseExpression, for_in: CompFor) -> None:
        self.elt = elt
        self.for_in = for_in


class GeneratorExp(BaseExpression):
    """``(elt for ...)``."""

    __slots__ = ("elt", "for_in")
    fields = ("elt", "for_in")

    def __init__(self, elt: BaseExpression, for_in: CompFor) -> None:
        self.elt = elt
        self.for_in = for_in


class DictComp(BaseExpression):
    """``{key: value for ...}``."""

    __slots__ = ("for_in", "key", "value")
    fields = ("key", "value", "for_in")

    def __init__(self, key: BaseExpression, value: BaseExpression, for_in: CompFor) -> None:
        self.key = key
        self.value = value
        self.for_in = for_in


class CompFor(CSTNode):
    """``for target in iter if ...`` of a comprehension, and the next one."""

    __slots__ = ("asynchronous", "ifs", "inner_for_in", "iter", "target")
    fields = ("target", "iter", "ifs", "inner_for_in", "asynchronous")

    def __init__(
        self,
        target: BaseExpression,
        iter: BaseExpression,
        ifs: Sequence[CompIf],
        inner_for_in: CompFor | None,
        asynchronous: Asynchronous | None,
    ) -> None:
        self.target = target
        self.iter = iter
        self.ifs = ifs
        self.inner_for_in = inner_for_in
        self.asynchronous = asynchronous


class CompIf(CSTNode):
    """``if test`` of a comprehension."""

    __slots__ = ("test",)
    fields = ("test",)

    def __init__(self, test: BaseExpression) -> None:
        self.test = test

"""Nodes, and the kinds of nodes that stand in for each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar


class CSTNode:
    """A node.

    Attributes:
      made_of: the ``ast`` node, or the like, that has its position; only there where one has it.
      fields: names of the attributes that hold nodes, in the order of the source.
    """

    __slots__ = ("made_of",)

    made_of: Any
    fields: ClassVar[tuple[str, ...]] = ()


class BaseExpression(CSTNode):
    """An expression."""

    __slots__ = ()


class BaseSlice(CSTNode):
    """A part of a subscript."""

    __slots__ = ()


class BaseElement(CSTNode):
    """An element of a display."""

    __slots__ = ()

    value: BaseExpression


class BaseDictElement(CSTNode):
    """An element of a dict display."""

    __slots__ = ()

    value: BaseExpression


class BaseFormattedStringContent(CSTNode):
    """A part of a formatted string."""

    __slots__ = ()


class BaseSmallStatement(CSTNode):
    """A statement that shares its line with others."""

    __slots__ = ()


class BaseStatement(CSTNode):
    """A statement with lines of its own."""

    __slots__ = ()


class BaseCompoundStatement(BaseStatement):
    """A statement with a body."""

    __slots__ = ()


class BaseSuite(CSTNode):
    """A body."""

    __slots__ = ()

    body: Sequence[Any]


class MatchPattern(CSTNode):
    """A pattern."""

    __slots__ = ()


class MatchSequence(MatchPattern):
    """A pattern for sequences."""

    __slots__ = ()

    patterns: Sequence[Any]

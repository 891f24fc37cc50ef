"""``match`` and its patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jitlint.absint.cst.base import (
    BaseCompoundStatement,
    BaseExpression,
    BaseSuite,
    CSTNode,
    MatchPattern,
    MatchSequence,
)

if TYPE_CHECKING:
    from jitlint.absint.cst.expressions import Name


class Match(BaseCompoundStatement):
    """``match subject``."""

    __slots__ = ("cases", "subject")
    fields = ("subject", "cases")

    def __init__(self, subject: BaseExpression, cases: Sequence[MatchCase]) -> None:
        self.subject = subject
        self.cases = cases


class MatchCase(CSTNode):
    """``case pattern if guard``."""

    __slots__ = ("body", "guard", "pattern")
    fields = ("pattern", "body", "guard")

    def __init__(
        self, pattern: MatchPattern, body: BaseSuite, guard: BaseExpression | None
    ) -> None:
        self.pattern = pattern
        self.body = body
        self.guard = guard


class MatchValue(MatchPattern):
    """A literal or a dotted name."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: BaseExpression) -> None:
        self.value = value


class MatchSingleton(MatchPattern):
    """``None``, ``True`` or ``False``."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: Name) -> None:
        self.value = value


class MatchSequenceElement(CSTNode):
    """An element of a sequence or class pattern."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: MatchPattern) -> None:
        self.value = value


class MatchStar(CSTNode):
    """``*name``."""

    __slots__ = ("name",)
    fields = ("name",)

    def __init__(self, name: Name | None) -> None:
        self.name = name


class MatchList(MatchSequence):
    """``[a, b]``, or without brackets."""

    __slots__ = ("patterns",)
    fields = ("patterns",)

    def __init__(self, patterns: Sequence[MatchSequenceElement | MatchStar]) -> None:
        self.patterns = patterns


class MatchTuple(MatchSequence):
    """``(a, b)``."""

    __slots__ = ("patterns",)
    fields = ("patterns",)

    def __init__(self, patterns: Sequence[MatchSequenceElement | MatchStar]) -> None:
        self.patterns = patterns


class MatchMapping(MatchPattern):
    """``{key: pattern, **rest}``."""

    __slots__ = ("elements", "rest")
    fields = ("elements", "rest")

    def __init__(self, elements: Sequence[MatchMappingElement], rest: Name | None) -> None:
        self.elements = elements
        self.rest = rest


class MatchMappingElement(CSTNode):
    """``key: pattern``."""

    __slots__ = ("key", "pattern")
    fields = ("key", "pattern")

    def __init__(self, key: BaseExpression, pattern: MatchPattern) -> None:
        self.key = key
        self.pattern = pattern


class MatchClass(MatchPattern):
    """``cls(patterns, kwds)``."""

    __slots__ = ("cls", "kwds", "patterns")
    fields = ("cls", "patterns", "kwds")

    def __init__(
        self,
        cls: BaseExpression,
        patterns: Sequence[MatchSequenceElement],
        kwds: Sequence[MatchKeywordElement],
    ) -> None:
        self.cls = cls
        self.patterns = patterns
        self.kwds = kwds


class MatchKeywordElement(CSTNode):
    """``key=pattern``."""

    __slots__ = ("key", "pattern")
    fields = ("key", "pattern")

    def __init__(self, key: Name, pattern: MatchPattern) -> None:
        self.key = key
        self.pattern = pattern


class MatchAs(MatchPattern):
    """``pattern as name``, ``name`` or ``_``."""

    __slots__ = ("name", "pattern")
    fields = ("pattern", "name")

    def __init__(self, pattern: MatchPattern | None, name: Name | None) -> None:
        self.pattern = pattern
        self.name = name


class MatchOr(MatchPattern):
    """``a | b``."""

    __slots__ = ("patterns",)
    fields = ("patterns",)

    def __init__(self, patterns: Sequence[MatchOrElement]) -> None:
        self.patterns = patterns


class MatchOrElement(CSTNode):
    """One of the alternatives."""

    __slots__ = ("pattern",)
    fields = ("pattern",)

    def __init__(self, pattern: MatchPattern) -> None:
        self.pattern = pattern

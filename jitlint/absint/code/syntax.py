"""libcst's trees of pieces of source: made on demand, and walks over what they mean."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from jitlint.absint.limits import PLAIN_SYNTAX_LEVELS, SYNTAX_LEVELS
from jitlint.foundation.rows import rows_of
from jitlint.project.plain_code import PlainCode

if TYPE_CHECKING:
    from jitlint.project.units import Unit

#: whether this Python may end a recursion before the limit that it is given
_MAY_STOP_EARLY: Final = sys.version_info[:2] == (3, 12)
#: row and column, end row and end column: rows from 1, columns from 0 in code points
Span = tuple[int, int, int, int]

SCOPES: Final = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
#: fields that hold punctuation, layout, or text in the place of nodes
_TRIVIA: Final = frozenset(
    {
        "asynchronous", "colon", "comma", "comment", "conversion", "dot", "end", "equal",
        "first_colon", "footer", "header", "indent", "lbrace", "lbracket", "leading_lines",
        "lines_after_decorators", "lpar", "newline", "operator", "posonly_ind", "rbrace",
        "rbracket", "relative", "rpar", "second_colon", "semicolon", "separator", "star", "start",
        "trailing_comma", "type_parameters",
    }
)  # fmt: skip
#: gives what the fields of a node hold that hold nodes, by its class
_FIELDS: dict[type[cst.CSTNode], Callable[[cst.CSTNode], tuple[Any, ...]]] = {}


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes directly below a node, in the order of its fields; operators are none of them."""
    kind = type(node)
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = _fields_of(kind)
    found: list[cst.CSTNode] = []
    for child in fields(node):
        if type(child) is list or type(child) is tuple:
            found.extend(child)
        elif child is not None and type(child) is not cst.MaybeSentinel:
            found.append(child)
    return found


def _fields_of(kind: type[cst.CSTNode]) -> Callable[[cst.CSTNode], tuple[Any, ...]]:
    """What gives the fields of a class of nodes that hold nodes, all of them at once."""
    names = [
        field.name
        for field in dataclasses.fields(kind)
        if field.type is not str  # a name, a number, a piece of a string: its text
        and field.name not in _TRIVIA
        and "whitespace" not in field.name
    ]
    if len(names) > 1:
        return attrgetter(*names)
    # Of one name, the getter would give what it holds as it is.
    return lambda node: tuple(getattr(node, name) for name in names)


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A tree with all that is nested in it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(children(current))


def walk_own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A tree without the bodies of functions and classes nested in it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if type(current) in SCOPES and current is not node:
            continue
        stack.extend(children(current))


def parents_in(roots: Iterable[cst.CSTNode]) -> dict[int, cst.CSTNode]:
    """By the ``id`` of each node below some nodes, the one that it is directly below."""
    found: dict[int, cst.CSTNode] = {}
    stack = list(roots)
    while stack:
        current = stack.pop()
        inner = children(current)
        for child in inner:
            found[id(child)] = current
        stack += inner
    return found


def called_name(node: cst.CSTNode) -> str:
    """The last part of the name of what a call calls, empty if that has none."""
    function = node.func if isinstance(node, cst.Call) else None
    if isinstance(function, cst.Attribute):
        return function.attr.value
    return function.value if isinstance(function, cst.Name) else ""


def dotted(node: cst.CSTNode | None) -> str | None:
    """``a.b.c`` of a chain of attributes of a name, None for anything else."""
    if isinstance(node, cst.Attribute):
        base = dotted(node.value)
        return None if base is None else f"{base}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else None


def is_none(node: cst.CSTNode | None) -> bool:
    """Whether a node is there, and is ``None`` as the code writes it."""
    return isinstance(node, cst.Name) and node.value == "None"


def _spans_in(module: cst.Module) -> Any:
    """Where each node of a module is: what ``MetadataWrapper`` finds, at half the cost.

    It would also look for metadata that visitors gather, in a walk of its own.
    """
    from libcst.metadata import PositionProvider

    provider = PositionProvider()
    provider._gen_impl(module)
    return provider._computed


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, and those in whose handling it was raised."""
    while error is not None:
        yield error
        error = error.__context__


class UnsupportedSyntaxError(Exception):
    """libcst cannot parse what ``ast`` could, or not in reasonable time.

    Args:
      unit: the piece of source.
      message: what libcst says.
      row: where, in the file.
    """

    def __init__(self, unit: Unit, message: str, row: int) -> None:
        super().__init__(message)
        self.unit = unit
        self.row = row


class SyntaxTree:
    """The tree of one unit, which depends on nothing but its text.

    The rows of an indented unit are parsed below an ``if 1:``, for dedenting them would change
    columns, and strings over several rows.

    Args:
      unit: the unit.

    Raises:
      UnsupportedSyntaxError: libcst does not know its syntax.
    """

    __slots__ = (
        "_before",
        "_first",
        "_module",
        "_rows_before",
        "_sources",
        "_spans",
        "_text",
        "statement",
    )

    def __init__(self, unit: Unit) -> None:
        # Not the unit itself: that belongs to one version of its file, and this outlives it.
        self._text = text = unit.source
        self._first, self._before = unit.first, unit.cut
        if len(text) > 2 * SYNTAX_LEVELS and unit.is_deeper_than(SYNTAX_LEVELS):
            raise UnsupportedSyntaxError(unit, "too deeply nested to be analysed", unit.first)
        indented = unit.indented and text[:1] in " \t"
        self._rows_before = unit.first - 1 - int(indented)
        try:
            self._module = cst.parse_module(f"if 1:\n{text}" if indented else text)
        except cst.ParserSyntaxError as error:
            row = self._rows_before + error.raw_line
            raise UnsupportedSyntaxError(unit, error.message, row) from None
        except Exception as error:  # whatever libcst makes of it, it is no tree
            raise UnsupportedSyntaxError(unit, str(error), unit.first) from None
        body: Any = self._module.body[0].body if indented else self._module
        #: the statement that the unit is
        self.statement: cst.BaseStatement = body.body[0]
        self._spans: Any = None
        self._sources: dict[cst.CSTNode, str] = {}
        deep = _MAY_STOP_EARLY and unit.is_deeper_than(PLAIN_SYNTAX_LEVELS)
        if deep and not self._has_spans():
            raise UnsupportedSyntaxError(unit, "too deeply nested for this Python", unit.first)

    def _has_spans(self) -> bool:
        """Whether it can be said where the nodes are; asked before anything is reported."""
        try:
            self._spans = _spans_in(self._module)
        except Exception as error:
            # libcst's own handlers turn the one into others.
            if any(isinstance(each, RecursionError) for each in _causes(error)):
                return False
            raise
        return True

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node is, in the rows and columns of the file as it was when this was parsed."""
        if self._spans is None:
            self._spans = _spans_in(self._module)
        where = self._spans[node]
        start, end, cut = where.start, where.end, self._before
        return (
            start.line + self._rows_before,
            start.column + (cut if start.line == 1 else 0),
            end.line + self._rows_before,
            end.column + (cut if end.line == 1 else 0),
        )

    def source(self, node: cst.CSTNode) -> str:
        """The text of an expression without brackets around it, of anything else from word to word.

        Comments are left out; who wants them asks for what is written.

        The brackets of a tuple and of a generator belong to it.  How far the further rows of an
        expression are indented is left out.
        """
        if type(node) is cst.Name:
            return node.value
        known = self._sources.get(node)
        if known is None:
            known = self.written(node)
            if "#" in known:
                known = PlainCode(known).text
            self._sources[node] = known
        return known

    def written(self, node: cst.CSTNode) -> str:
        """The same with the comments that stand in it."""
        if not isinstance(node, cst.BaseExpression):
            return self._cut(node)
        if node.lpar and not isinstance(node, (cst.Tuple, cst.GeneratorExp)):
            node = node.with_changes(lpar=(), rpar=())
        text = self._module.code_for_node(node)
        # The brackets of a generator that is the only argument are those of the call.
        return f"({text})" if type(node) is cst.GeneratorExp and not node.lpar else text

    def _cut(self, node: cst.CSTNode) -> str:
        row, column, end_row, end_column = self.span(node)
        row, end_row = row - self._first + 1, end_row - self._first + 1
        column -= self._before if row == 1 else 0
        end_column -= self._before if end_row == 1 else 0
        lines = rows_of(self._text)
        if row == end_row:
            return lines[row - 1][column:end_column]
        inner = lines[row : end_row - 1]
        return "".join([lines[row - 1][column:], *inner, lines[end_row - 1][:end_column]])

    def shift(self, unit: Unit) -> tuple[int, int]:
        """How many rows, and columns in its first row, a unit of the same text is away."""
        return unit.first - self._first, unit.cut - self._before

"""Trees of libcst's own, for what ``ast`` cannot tell: newer syntax, and exact places.

They cost ten times as much as what ``bare_trees`` makes, and libcst is imported for them, so they
are made only for a unit that holds syntax that has no rule there, or a report whose place ``ast``
does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst

from jitlint.absint import cst
from jitlint.absint.bare_trees import Span, UnsupportedSyntaxError
from jitlint.absint.cst.walking import children
from jitlint.project.index import Unit


class ExactTree:
    """A unit as libcst itself parses it.

    The rows of an indented unit are wrapped in ``if True:`` so that columns stay what they are in
    the file.

    Args:
      unit: the unit.

    Attributes:
      statements: libcst's nodes without their trivia.

    Raises:
      UnsupportedSyntaxError: if libcst does not know its syntax.
    """

    __slots__ = ("_cut", "_named", "_nodes", "_positions", "_row_offset", "module", "statements")

    def __init__(self, unit: Unit) -> None:
        text = unit.text
        indented = unit.indented and text[:1] in " \t"
        self._row_offset = unit.first - 1 - int(indented)
        self._cut = unit.cut
        try:
            self.module = libcst.parse_module("if True:\n" + text if indented else text)
        except libcst.ParserSyntaxError as error:
            row = self._row_offset + error.raw_line
            raise UnsupportedSyntaxError(unit, error.message, row) from None
        body: Sequence[Any] = self.module.body
        if indented:
            body = body[0].body.body
        #: by ``id`` of a node without trivia, libcst's node
        self._nodes: dict[int, libcst.CSTNode] = {}
        self.statements: tuple[Any, ...] = tuple(without_trivia(each, self._nodes) for each in body)
        #: by ``id`` of a node of a bare tree, the node here
        self._named: dict[int, cst.CSTNode] = {}
        self._positions: Any = None

    def name(self, statements: Sequence[cst.CSTNode]) -> None:
        """Find the nodes of a bare tree of the same unit."""
        if self._named:
            return
        stack: list[tuple[Any, Any]] = [(statements[0], self.statements[0])]
        while stack:
            bare, exact = stack.pop()
            self._named[id(bare)] = exact
            # What follows a semicolon is another unit, so there may be more of them here.
            stack.extend(zip(_paired(bare), _paired(exact), strict=False))

    def _node(self, node: cst.CSTNode) -> libcst.CSTNode:
        return self._nodes[id(self._named.get(id(node), node))]

    def source(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        return self.module.code_for_node(self._node(node))

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node is, in the rows and columns of the file."""
        if self._positions is None:
            from libcst.metadata import MetadataWrapper, PositionProvider

            wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
            self._positions = wrapper.resolve(PositionProvider)
        where = self._positions[self._node(node)]
        start, end = where.start, where.end
        return (
            start.line + self._row_offset,
            start.column + (self._cut if start.line == 1 else 0),
            end.line + self._row_offset,
            end.column + (self._cut if end.line == 1 else 0),
        )


def _paired(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The children that a bare tree has as well."""
    if type(node) is cst.FormattedString:
        # `{x=}` is an expression and some text for ``ast``.
        return [part for part in node.parts if type(part) is cst.FormattedStringExpression]
    return children(node)


#: values of attributes that are kept as they are
_PLAIN = (str, type(None))


def without_trivia(node: libcst.CSTNode, found: dict[int, libcst.CSTNode]) -> cst.CSTNode:
    """A tree of libcst as one of ours.

    Args:
      node: the tree.
      found: filled with libcst's node for each one made, by the ``id`` of that.

    Returns:
      The tree without trivia.
    """
    made: Any
    if isinstance(node, libcst.ConcatenatedString):
        made = _side_by_side(node, found)
    else:
        # Syntax newer than this module: nothing is known of it, so nothing is said of it.
        kind: Any = getattr(cst, type(node).__name__, cst.CSTNode)
        made = kind.__new__(kind)
        for name in () if kind is cst.CSTNode else kind.__slots__:
            setattr(made, name, _attribute(getattr(node, name), found))
        if isinstance(node, libcst.Subscript) and len(node.slice) == 1:
            only = node.slice[0]
            unpacked = isinstance(only.slice, libcst.Index) and only.slice.star is not None
            made.slice[0].comma = unpacked or isinstance(only.comma, libcst.Comma)
    found[id(made)] = node
    return made  # type: ignore[no-any-return]


def _attribute(value: Any, found: dict[int, libcst.CSTNode]) -> Any:
    if isinstance(value, libcst.Comma):
        # It says something only in a subscript of one element.
        return False
    if isinstance(value, libcst.MaybeSentinel):
        return None
    if isinstance(value, libcst.CSTNode):
        return without_trivia(value, found)
    if isinstance(value, _PLAIN):
        return value
    return tuple([without_trivia(each, found) for each in value])


def _side_by_side(
    node: libcst.ConcatenatedString, found: dict[int, libcst.CSTNode]
) -> cst.BaseExpression:
    """Strings that stand side by side are one for ``ast``, and so they are here."""
    strings: list[Any] = []
    rest: Any = node
    while isinstance(rest, libcst.ConcatenatedString):
        strings.append(rest.left)
        rest = rest.right
    strings.append(rest)
    if all(isinstance(each, libcst.SimpleString) for each in strings):
        return cst.SimpleString(repr(node.evaluated_value))
    parts: list[Any] = []
    for each in strings:
        made: Any = without_trivia(each, found)
        if isinstance(made, cst.FormattedString):
            parts.extend(made.parts)
        else:
            text = cst.FormattedStringText(str(made.evaluated_value))
            found[id(text)] = each
            parts.append(text)
    return cst.FormattedString(tuple(parts))

"""What a fixer works on: the place of an event, and the edits that it collects there.

Edits put text in before, behind and in the place of nodes, so that all between them, comments and
blanks included, stays as it is written.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import children, walk
from jitlint.diagnostics import Applicability, Edit, Fix, Location

if TYPE_CHECKING:
    from jitlint.absint.code.functions import ParsedUnit, Place
    from jitlint.absint.events import Event
    from jitlint.project.index import ModuleIndex


#: what ends where its last character stands
_ROWS: Final = (cst.BaseExpression, cst.BaseSmallStatement)


class Draft:
    """The fix of one report while it is made.

    Args:
      event: what is reported; its place is where the fix begins.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self.node: cst.CSTNode = event.place.node
        self.parsed: ParsedUnit = event.place.parsed
        self.module: ModuleIndex = self.parsed.unit.module
        self._edits: list[Edit] = []

    def elsewhere(self, place: Place) -> Draft | None:
        """The same fix at another place of the file; None for one of another file."""
        if place.parsed.unit.module is not self.module:
            return None
        other = copy(self)
        other.__dict__.pop("function", None)
        other.node, other.parsed = place.node, place.parsed
        return other

    # -- the tree -----------------------------------------------------------------------------

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that a node stands in; None for the whole unit."""
        return parent_of(self.parsed, node)

    def around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes that a node stands in, from the inside."""
        return nodes_around(self.parsed, node)

    def statement_of(self, node: cst.CSTNode) -> cst.BaseSmallStatement | None:
        """The simple statement that a node stands in."""
        for outer in (node, *self.around(node)):
            if isinstance(outer, cst.BaseSmallStatement):
                return outer
            if isinstance(outer, cst.BaseCompoundStatement):
                return None
        return None

    @cached_property
    def function(self) -> Code | None:
        """The function whose variables the place binds; None outside of all."""
        return next(scopes_around(self.parsed, self.node), None)

    def binds_around(self, name: str) -> bool:
        """Whether something around the place gives a name another meaning than its module."""
        scopes = scopes_around(self.parsed, self.node)
        if any(scope is not None and name in scope.bound_names for scope in scopes):
            return True
        return any(
            isinstance(outer, cst.BaseComp) and _comprehension_binds(outer.for_in, name)
            for outer in self.around(self.node)
        )

    # -- text ---------------------------------------------------------------------------------

    def inner_start(self, node: cst.CSTNode) -> Location:
        """Where a node begins, within the brackets around it."""
        row, column, _, _ = self.parsed.position(node)
        return Location(row, column)

    def inner_end(self, node: cst.CSTNode) -> Location:
        """Where a node ends, within the brackets around it."""
        _, _, row, column = self.parsed.position(node)
        return Location(row, column)

    def before_end(self, node: cst.CSTNode) -> Location:
        """Where the closing bracket of a call or display is."""
        end = self.inner_end(node)
        return Location(end.row, end.column - 1)

    def start(self, node: cst.CSTNode) -> Location:
        """Where a node begins, with the brackets around it."""
        row, column, _, _ = self.parsed.position(_outermost(node, "lpar", 0))
        return Location(row, column)

    def end(self, node: cst.CSTNode) -> Location:
        """Where a node ends, with the brackets around it."""
        _, _, row, column = self.parsed.position(_outermost(node, "rpar", -1))
        return Location(row, column)

    def last_row(self, block: cst.BaseSuite) -> int:
        """The last row of a block that has more than blanks and comments."""
        rows = (self.parsed.position(node)[2] for node in walk(block) if isinstance(node, _ROWS))
        return max(rows, default=self.end(block).row)

    def text(self, node: cst.CSTNode) -> str:
        """The text of a node, with the brackets around it, as it is written."""
        return self.between(self.start(node), self.end(node))

    def between(self, start: Location, end: Location) -> str:
        """The text of the file between two places."""
        if start == end:
            return ""
        lines = self.module.written(start.row, end.row)
        lines[-1] = lines[-1][: end.column - 1]
        lines[0] = lines[0][start.column - 1 :]
        return "".join(lines)

    # -- edits --------------------------------------------------------------------------------

    def insert(self, where: Location, text: str) -> None:
        """Put a text in."""
        for number, edit in enumerate(self._edits):
            if edit.location == edit.end_location == where:
                # What was put in there before stays before it.
                self._edits[number] = Edit(where, where, edit.content + text)
                return
        self._edits.append(Edit(where, where, text))

    def before(self, node: cst.CSTNode, text: str) -> None:
        """Put a text in before a node."""
        self.insert(self.start(node), text)

    def behind(self, node: cst.CSTNode, text: str) -> None:
        """Put a text in behind a node."""
        self.insert(self.end(node), text)

    def replace(self, node: cst.CSTNode, text: str) -> None:
        """Put a text in the place of a node and its brackets."""
        self.replace_between(self.start(node), self.end(node), text)

    def replace_between(self, start: Location, end: Location, text: str) -> None:
        """Put a text in the place of another."""
        self._edits.append(Edit(start, end, text))

    def replace_width(self, start: Location, width: int, text: str) -> None:
        """Put a text in the place of some characters of a row."""
        self.replace_between(start, Location(start.row, start.column + width), text)

    def fix(self, message: str, applicability: Applicability) -> Fix | None:
        """The fix with the edits so far; None where one of them would take a comment away."""
        edits = sorted(self._edits, key=lambda edit: (edit.location, edit.end_location))
        for edit in edits:
            for place in (edit.location, edit.end_location):
                if place.column == 1:
                    self.module.note_gap(place.row)
            gone = comments_in(self.between(edit.location, edit.end_location))
            if any(comment not in edit.content for comment in gone):
                return None
        return Fix(message, applicability, tuple(edits))


def parent_of(parsed: ParsedUnit, node: cst.CSTNode) -> cst.CSTNode | None:
    """The node that a node of a unit stands in; None for the whole unit."""
    return parsed.fact(_parents, parsed.statement).get(id(node))


def nodes_around(parsed: ParsedUnit, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes that a node of a unit stands in, from the inside."""
    outer = parent_of(parsed, node)
    while outer is not None:
        yield outer
        outer = parent_of(parsed, outer)


def scopes_around(parsed: ParsedUnit, node: cst.CSTNode) -> Iterator[Code | None]:
    """The functions that a node of a unit stands in, from the inside; None for a class.

    What stands in the head of a function, such as a decorator, is not in it.
    """
    inner = node
    for outer in nodes_around(parsed, node):
        if isinstance(outer, cst.ClassDef):
            yield None
        elif isinstance(outer, (cst.FunctionDef, cst.Lambda)) and outer.body is inner:
            yield Code(parsed.unit, "", "", parsed, outer)
        inner = outer


def _comprehension_binds(clause: cst.CompFor, name: str) -> bool:
    inner = clause.inner_for_in
    return name in target_names(clause.target) or (
        inner is not None and _comprehension_binds(inner, name)
    )


def _parents(statement: cst.CSTNode) -> dict[int, cst.CSTNode]:
    """For each node of a unit the node that it stands in."""
    found: dict[int, cst.CSTNode] = {}
    stack: list[Any] = [statement]
    while stack:
        node = stack.pop()
        inner = children(node)
        found.update((id(child), node) for child in inner)
        stack.extend(inner)
    return found


def _outermost(node: cst.CSTNode, side: str, index: int) -> cst.CSTNode:
    """The outermost bracket around a node, or the node; those of a `with` are inside of it."""
    brackets = getattr(node, side, ())
    return brackets[index] if isinstance(brackets, Sequence) and brackets else node


def comments_in(text: str) -> list[str]:
    """The comments in a piece of Python."""
    if "#" not in text:
        return []
    try:
        # Brackets, so that the end of a row ends no statement.
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline))
    except (tokenize.TokenError, SyntaxError):
        return ["#"]
    return [token.string for token in tokens if token.type == tokenize.COMMENT]

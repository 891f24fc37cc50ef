"""Names for nodes and functions that mean the same in every process forked from one.

Processes that share an index each parse what they need, so their trees differ in identity but not
in shape: a node is named by its unit and its number in a walk of the unit's tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.syntax import children

if TYPE_CHECKING:
    import libcst as cst

    from jitlint.absint.code.functions import Code, ParsedUnit, Place
    from jitlint.project.index import Unit

#: path, row, column and qualified name of the unit, then the number of the node in its tree
Name = tuple[str, int, int, str, int]

#: stands for a unit as a whole where a node's number would be
WHOLE: Final = -1


def unit_name(unit: Unit) -> Name:
    """The name of a unit, and of the function that it defines."""
    return (str(unit.module.path), unit.first, unit.node.col_offset, unit.qualname, WHOLE)


class PlaceNames:
    """Gives the names; numbers the nodes of a unit when the first of them is named."""

    def __init__(self) -> None:
        self._numbers: dict[int, dict[int, int]] = {}

    def of_place(self, place: Place) -> Name:
        """The name of a place."""
        return self.of_node(place.parsed, place.node)

    def of_node(self, parsed: ParsedUnit, node: cst.CSTNode) -> Name:
        """The name of a node of a parsed unit."""
        number = self._of(parsed).get(id(node))
        if number is None:
            # Trivia is not walked; nothing that is recorded should be trivia.
            raise LookupError(f"a {type(node).__name__} of {parsed.unit.qualname!r} has no name")
        return (*unit_name(parsed.unit)[:-1], number)

    def of_stray(self, number: int, parsed: Iterable[ParsedUnit]) -> Name | None:
        """The name of a node known only by its ``id``, if it is in one of some units."""
        for each in parsed:
            found = self._of(each).get(number)
            if found is not None:
                return (*unit_name(each.unit)[:-1], found)
        return None

    def of_code(self, code: Code) -> Name:
        """The name of a function."""
        if code.node is None or code.parsed is None or code.qualname == code.unit.qualname:
            return unit_name(code.unit)
        return self.of_node(code.parsed, code.node)

    def _of(self, parsed: ParsedUnit) -> dict[int, int]:
        numbers = self._numbers.get(id(parsed))
        if numbers is None:
            numbers = self._numbers[id(parsed)] = _numbered(parsed.statement)
        return numbers


def _numbered(statement: cst.CSTNode) -> dict[int, int]:
    found: dict[int, int] = {}
    stack = [statement]
    number = 0
    while stack:
        current = stack.pop()
        # Operators are one node for all of their kind; the last of them is as good as any.
        found[id(current)] = number
        number += 1
        stack.extend(children(current))
    return found

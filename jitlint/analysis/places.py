"""Names for nodes and functions, by which parts of an analysis tell each other of them.

Within one process the node itself will do.  Processes that share an index each parse what they
need, so their trees differ in identity but not in shape: what leaves the process is named by its
unit and its number in a walk of the unit's tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jitlint.absint.code.syntax import children

if TYPE_CHECKING:
    import libcst as cst

    from jitlint.absint.code.functions import Code, ParsedUnit, Place
    from jitlint.project.index import Unit

#: path, row, column and qualified name of the unit, then the number of the node in its tree; within
#: one process path and identity
Name = tuple[Any, ...]

#: stands for a unit as a whole where a node's number would be
WHOLE: Final = -1


class LocalNames:
    """Gives names that hold in this process."""

    def of_place(self, place: Place) -> Name:
        """The name of a place."""
        return str(place.parsed.unit.module.path), id(place.node)

    def of_code(self, code: Code) -> Name:
        """The name of a function."""
        return str(code.module.path), id(code)


class PlaceNames(LocalNames):
    """Gives names that hold anywhere; numbers a unit's nodes when the first of them is named."""

    def __init__(self) -> None:
        self._numbers: dict[int, dict[int, int]] = {}

    def of_place(self, place: Place) -> Name:
        """The name of a place."""
        return self._of_node(place.parsed, place.node)

    def of_code(self, code: Code) -> Name:
        """The name of a function."""
        if code.node is None or code.parsed is None or code.qualname == code.unit.qualname:
            return _unit_name(code.unit, WHOLE)
        return self._of_node(code.parsed, code.node)

    def _of_node(self, parsed: ParsedUnit, node: cst.CSTNode) -> Name:
        numbers = self._numbers.get(id(parsed))
        if numbers is None:
            numbers = self._numbers[id(parsed)] = _numbered(parsed.statement)
        number = numbers.get(id(node))
        if number is None:
            # Trivia is not walked; nothing that is recorded should be trivia.
            raise LookupError(f"a {type(node).__name__} of {parsed.unit.qualname!r} has no name")
        return _unit_name(parsed.unit, number)


def _unit_name(unit: Unit, number: int) -> Name:
    return str(unit.module.path), unit.first, unit.node.col_offset, unit.qualname, number


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

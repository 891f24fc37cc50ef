"""Names for nodes and functions, by which parts of an analysis tell each other of them.

Within one process the node itself will do.  Processes that share an index each parse what they
need, so their trees differ in identity but not in shape: what leaves the process is named by its
unit and its number in a walk of the unit's tree, which no edit of another unit changes.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.functions import Code, CodeStore, ParsedUnit, Place
from jitlint.absint.code.syntax import walk
from jitlint.project.project import Project
from jitlint.project.units import Unit

if TYPE_CHECKING:
    import libcst as cst

#: path, title and number of the unit, then the number of the node in its tree; within one
#: process the last is its identity, and the path is the only other thing that counts
Name = tuple[str, str, int, int]

#: stands for a unit as a whole where a node's number would be
WHOLE: Final = -1


class LocalNames:
    """Gives names that hold in this process."""

    def __init__(self) -> None:
        self._places: dict[Name, Place] = {}
        self._codes: dict[Name, Code] = {}

    def of_place(self, place: Place) -> Name:
        """The name of a place."""
        name = str(place.parsed.unit.module.path), "", 0, id(place.node)
        self._places[name] = place
        return name

    def of_code(self, code: Code) -> Name:
        """The name of a function."""
        name = str(code.module.path), "", 0, id(code)
        self._codes[name] = code
        return name

    def place(self, name: Name) -> Place:
        """The place of a name."""
        return self._places[name]

    def definition(self, name: Name) -> cst.CSTNode:
        """The definition of the function of a name."""
        node = self._codes[name].node
        assert node is not None
        return node


class PlaceNames(LocalNames):
    """Gives names that hold anywhere; numbers a unit's nodes when the first of them is named.

    Args:
      project: holds the units.
      store: holds their trees.
    """

    def __init__(self, project: Project, store: CodeStore) -> None:
        super().__init__()
        self._project = project
        self._store = store
        self._numbers: dict[int, dict[int, int]] = {}

    def of_place(self, place: Place) -> Name:
        """The name of a place."""
        return self._of_node(place.parsed, place.node)

    def of_code(self, code: Code) -> Name:
        """The name of a function."""
        if code.node is None or code.parsed is None or code.qualname == code.unit.qualname:
            return _unit_name(code.unit, WHOLE)
        return self._of_node(code.parsed, code.node)

    def place(self, name: Name) -> Place:
        """The place of a name, which another process or an earlier run may have given."""
        path, title, count, number = name
        module = self._project.module_at(Path(path))
        unit = None if module is None else module.unit_of(("unit", title, count))
        if unit is None:
            raise LookupError(f"there is no unit {title!r} in {path}")
        parsed = self._store.parse(unit)
        if number == WHOLE:
            return Place(parsed, self._store.load(self._store.of_unit(unit)).node)  # type: ignore[arg-type]
        node = next(islice(walk(parsed.statement), number, None), None)
        if node is None:
            raise LookupError(f"{title!r} in {path} has no node {number}")
        return Place(parsed, node)

    def definition(self, name: Name) -> cst.CSTNode:
        """The definition of the function of a name."""
        return self.place(name).node

    def _of_node(self, parsed: ParsedUnit, node: cst.CSTNode) -> Name:
        numbers = self._numbers.get(id(parsed))
        if numbers is None:
            every = enumerate(walk(parsed.statement))
            numbers = self._numbers[id(parsed)] = {id(each): number for number, each in every}
        number = numbers.get(id(node))
        if number is None:
            # Trivia is not walked; nothing that is recorded should be trivia.
            raise LookupError(f"a {type(node).__name__} of {parsed.unit.qualname!r} has no name")
        return _unit_name(parsed.unit, number)


def _unit_name(unit: Unit, number: int) -> Name:
    return str(unit.module.path), unit.title, unit.number, number

"""What has been compiled at a point of host code, and what it keeps of names and objects."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final

from msgspec import Struct

from jitlint.absint.machine.frames import Moment
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Cell, TransformedLeft, in_state
from jitlint.absint.program.captures import ANY_ENTRY
from jitlint.absint.values.domain import (
    BoundMethod,
    Function,
    Origin,
    Partial,
    Ref,
    Transformed,
    Value,
)
from jitlint.absint.values.heap import Slot
from jitlint.project.units import Unit

#: what a program is known by: where its function was made, of what, for which static arguments
ProgramKey = tuple[Any, ...]
#: kinds of cells that belong to an object of the heap
OF_OBJECTS: Final = frozenset({"variable", "attribute", "entry"})


class Read(Struct, frozen=True, eq=False):
    """What a trace has read.

    Args:
      moment: where.
      value: the value.
      of_self: whether it is an attribute of the object whose method reads it.
      for_none: whether it is only asked whether that is None.
    """

    moment: Moment
    value: Value
    of_self: bool
    for_none: bool = False


class Kept(Struct, frozen=True, eq=False):
    """What a program keeps of a cell.

    Args:
      value: what the cell had when it was compiled, None if it may have had several.
      made: when what the cell belongs to was made.
      changed: where the cell was given something else since, None if nowhere.
      statement: the statement of a module whose code did that, None if a function did.
      for_none: whether it was only asked whether that is None.
    """

    value: Value | None
    made: int
    changed: Origin | None = None
    statement: Unit | None = None
    for_none: bool = False


class Program:
    """One compiled program.

    Args:
      made: when the function was made that was compiled.
      cells: what it keeps.
      statement: the statement of a module that called it first, None if a function did.
      calls: the nodes that have called it within other jitted functions.
    """

    __slots__ = ("calls", "cells", "made", "statement")

    def __init__(
        self,
        made: int,
        cells: Mapping[Cell, Kept],
        statement: Unit | None,
        calls: frozenset[int],
    ) -> None:
        self.made = made
        self.cells = cells
        self.statement = statement
        self.calls = calls

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Program)
            and self.calls == other.calls
            and _known(self.cells) == _known(other.cells)
        )

    __hash__ = None  # type: ignore[assignment]


def _known(cells: Mapping[Cell, Kept]) -> dict[Cell, tuple[Value | None, bool]]:
    return {cell: (kept.value, kept.changed is None) for cell, kept in cells.items()}


@in_state
class Compiled(Slot):
    """What has been compiled, by program."""

    __slots__ = ("programs",)
    of_run = True

    def __init__(self, programs: dict[ProgramKey, Program] | None = None) -> None:
        self.programs = {} if programs is None else programs

    def copy(self) -> Compiled:
        """A private copy."""
        return Compiled(dict(self.programs))

    def join(self, other: Compiled) -> Compiled:
        """What either path has compiled; changed is what one of them has changed."""
        programs = dict(self.programs)
        for key, theirs in other.programs.items():
            mine = programs.get(key)
            programs[key] = theirs if mine is None else _merged(mine, theirs)
        return Compiled(programs)

    def by_subject(self) -> Mapping[Hashable, object]:
        """The programs."""
        return dict(self.programs.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compiled) and self.programs == other.programs

    __hash__ = None


def _merged(mine: Program, theirs: Program) -> Program:
    if mine is theirs:
        return mine
    if mine.made != theirs.made:
        # Made anew on one path.
        return mine if mine.made > theirs.made else theirs
    cells = dict(mine.cells)
    for cell, kept in theirs.cells.items():
        known = cells.get(cell)
        if known is None or known.made < kept.made:
            cells[cell] = kept
        elif known.made == kept.made:
            value = known.value if known.value == kept.value else None
            changed = kept if known.changed is None else known
            asked = known.for_none and kept.for_none
            cells[cell] = Kept(value, kept.made, changed.changed, changed.statement, asked)
    return Program(mine.made, cells, mine.statement, mine.calls | theirs.calls)


def statement_of(it: Interpreter) -> Unit | None:
    """The statement of a module that is running, and the calls that it makes."""
    return it.frame.outermost.parsed.unit if it.in_module_code else None


def follows(later: Unit | None, earlier: Unit | None) -> bool:
    """Whether the one may run after the other: statements run when they are first needed here."""
    if later is None or earlier is None:
        return later is earlier
    return later.module is earlier.module and not later.begins_above(earlier)


def program_of(it: Interpreter, left: TransformedLeft) -> tuple[ProgramKey, int]:
    """What the program is known by that a call runs, and when its function was made."""
    parts: list[Any] = []
    made = 0
    link: Value = left.function
    while True:
        if isinstance(link, Transformed):
            # JAX knows a function that lasts again, whoever jits it (observed under JAX 0.10.2).
            shared = lasts(link.function)
            parts.append(link.transform if shared else id(link.place.node))
            link = link.function
        elif isinstance(link, BoundMethod):
            parts.append(link.receiver)
            if isinstance(link.receiver, Ref):
                made = max(made, it.made_at.get(link.receiver.id, 0))
            link = link.function
        elif isinstance(link, Partial):
            parts.append((link.args, link.keywords))
            link = link.function
        else:
            break
    if isinstance(link, Function):
        parts += [id(link.code), link.closure]
        made = max([made, *(it.made_at.get(env, 0) for env in link.closure)])
    parts += left.static
    return tuple(parts), made


def lasts(function: Value) -> bool:
    """Whether a function is a module's, and the same one as long as the program runs."""
    if not isinstance(function, Function) or function.closure:
        return False
    return function.code.is_unit


def key_of(function: Transformed) -> int:
    """What stands in the keys of all programs of what was jitted."""
    inner = function.function
    if isinstance(inner, Function) and lasts(inner):
        return id(inner.code)
    return id(function.place.node)


def is_part(known: Cell, changed: Cell) -> bool:
    """Whether what was read may be what is changed."""
    if known == changed:
        return True
    same = known[:2] == changed[:2] and changed[0] == "entry"
    return same and ANY_ENTRY in (known[2], changed[2])

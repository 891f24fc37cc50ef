"""Classes that call what nobody knows where an attribute is set: it may clear what is compiled."""

from __future__ import annotations

from jitlint.absint.detectors.staleness.noted import NotedSet
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Cell, UnknownCalled, observes
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.heap import Instance


class Hooked(NotedSet):
    """Classes that call something unknown where an attribute of an object of theirs is set."""


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    code = it.frame.code
    if it.setting is not None and code is not None and code.unit.cls is not None:
        it.observations(Hooked).known.add(id(code.unit.cls))


def may_be_cleared(it: Interpreter, cell: Cell) -> bool:
    """Whether setting an attribute may have cleared what was compiled for its object."""
    hooked = it.observations(Hooked).known
    contents = it.contents(cell[1]) if hooked and cell[0] == "attribute" else None
    return isinstance(contents, Instance) and any(
        id(owner.definition) in hooked for owner in class_info(it, contents.cls).mro
    )

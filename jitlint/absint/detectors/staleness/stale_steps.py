"""What jitted functions keep that nobody visibly calls: a counter, a rate that decays.

Who calls them is not known, and so is when.  But what is changed step by step, by what it was
before, is meant to be another value in another call.
"""

from __future__ import annotations

import re
from typing import Any, Final

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.detectors.staleness.stale_values import CHANGED, reads_of, report
from jitlint.absint.detectors.surroundings.written import asked_once
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Cell, CellChanged, UncalledTraced, observes
from jitlint.absint.objects.kept_functions import makers_of
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    Class,
    Origin,
    Transformed,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel.transforms import COMPILING


class Steps(Struct, eq=False):
    """What is noted of changes.

    Args:
      found: where something is changed by what it was: by its class or module, and its name.
      traced: the places of changes that traces make.
    """

    found: dict[tuple[Any, str], Origin] = field(default_factory=dict)
    traced: set[int] = field(default_factory=set)

    def fork(self) -> Steps:
        """For an analysis that goes on from here."""
        return Steps(dict(self.found), set(self.traced))


#: gives what it gave when it is done again: a conversion, or a selection of some of it
_AGAIN: Final = re.compile(
    r"(?:int|float|bool|str|tuple|list|sorted|set|frozenset|\w+\.(?:as)?array)\(_\)|_\[[^][]*\]"
)


@observes(CellChanged)
def _changed(it: Interpreter, change: CellChanged) -> None:
    if it.trace is not None:
        it.observations(Steps).traced.add(id(change.node))
        return
    if it.frame.code is None or not _is_step(it.frame, change.node):
        return
    if change.value is not None and any(map(_is_function, members_of(change.value))):
        # `cls.step = jax.jit(cls.step)`: it is wrapped, and does what it did.
        return
    kind, owner, name = change.cell
    if kind == "attribute":
        contents = it.contents(owner)
        if not isinstance(contents, Instance):
            return
        info = class_info(it, contents.cls)
        if it.frame.code.name in makers_of(info):
            # While the object is made: nothing can have been compiled for it.
            return
        if any(name in cls.definition.methods for cls in info.mro):
            # A method that is wrapped, by whatever that is.
            return
        owner = id(contents.cls.definition)
    if kind in ("name", "attribute", "class"):
        origin = it.origin(change.node, CHANGED)
        it.observations(Steps).found.setdefault((owner, name), origin)


def _is_function(value: Value) -> bool:
    return isinstance(value, Transformed) or base_function(value) is not None


@observes(UncalledTraced)
def _traced(it: Interpreter, traced: UncalledTraced) -> None:
    steps = it.observations(Steps)
    found = steps.found
    if not found or traced.function.transform not in COMPILING:
        return
    for cell, read in reads_of(it.captured).items():
        for owner in _owners(it, cell):
            changed = found.get((owner, cell[2]))
            if changed is not None and id(changed.place.node) not in steps.traced:
                report(it, read, changed)
                break


def _owners(it: Interpreter, cell: Cell) -> list[Any]:
    """The module or class that has what was read, or the classes of the object that does."""
    kind, owner, _ = cell
    if kind != "attribute":
        return [owner] if kind in ("name", "class") else []
    contents = it.contents(owner)
    if not isinstance(contents, Instance):
        return []
    classes: list[Class] = class_info(it, contents.cls).mro
    return [id(cls.definition) for cls in classes]


def _is_done_again(value: str) -> bool:
    """Whether a value is no more than conversions and selections of what ``_`` stands for."""
    found = _AGAIN.sub("_", value)
    while found != value:
        value, found = found, _AGAIN.sub("_", found)
    return value == "_"


@asked_once
def _is_step(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a target is given what depends on its value before: ``rate *= 0.5``.

    So does what is computed from something that the same function changes like that.  What the
    function itself has made is not of before.
    """
    assert frame.code is not None
    source = frame.parsed.source
    target = source(node)
    stepped: list[str] = []
    value: str | None = None
    for inner in frame.code.own_nodes if frame.code.node is not None else ():
        if type(inner) is cst.AugAssign:
            stepped.append(source(inner.target))
            if inner.target is node:
                return True
        elif type(inner) is cst.Assign and any(each.target is node for each in inner.targets):
            value = source(inner.value)
    if value is None or _is_done_again(value.replace(target, "_")):
        return False
    mentioned = any(_mentions(value, name) for name in (target, *stepped))
    return mentioned and not _makes_before(frame, node, target)


def _mentions(text: str, target: str) -> bool:
    """Whether a text holds a name, or a chain of attributes, as a whole."""
    return re.search(rf"(?<![\w.]){re.escape(target)}(?!\w)", text) is not None


def _makes_before(frame: Frame, node: cst.CSTNode, target: str) -> bool:
    """Whether the function, whatever happens, gives a target a value of its own before a node."""
    assert frame.code is not None
    body = frame.code.node.body if isinstance(frame.code.node, cst.FunctionDef) else None
    for statement in body.body if isinstance(body, cst.IndentedBlock) else ():
        parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        for part in parts:
            if not isinstance(part, cst.Assign):
                continue
            if any(each.target is node for each in part.targets):
                return False
            written = [frame.parsed.source(each.target) for each in part.targets]
            if target in written and not _mentions(frame.parsed.source(part.value), target):
                return True
    return False

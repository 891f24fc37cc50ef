"""Which containers a call changes that nobody looks into, as far as the text of functions tells.

``self._cache.update(...)`` in a method that is called too deep to be followed, or is too long: what
the container holds afterwards is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jitlint.absint.limits import CHANGED_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.program.classes import ClassInfo, class_info
from jitlint.absint.program.forgetting import entries
from jitlint.absint.program.members import method_of
from jitlint.absint.values.domain import Class, Function, Ref, Value
from jitlint.absint.values.heap import DictObject, HeapObject, Instance, ListObject, SetObject
from jitlint.project.units import Unit
from jitlint.project.written.entry_changes import (
    HandedOn,
    changed_entries,
    handed_on,
    parameter_names,
)


def forget_changed(it: Interpreter, unit: Unit, args: Arguments) -> None:
    """Forget what containers hold that a function of the project changes.

    Args:
      it: the interpreter, at the call.
      unit: the function, which is not followed.
      args: what it is given, the receiver of a method first.
    """
    names = unit.fact(parameter_names)
    given = dict(zip(names, args.positional, strict=False)) | args.keywords
    if not any(isinstance(value, Ref) for value in given.values()):
        return
    receiver = _contents(it, given.get(names[0])) if unit.cls is not None and names else None
    classes = class_info(it, receiver.cls).mro if isinstance(receiver, Instance) else ()
    for path, adds in sorted(_changed(it, unit, tuple(classes), CHANGED_LEVELS).items()):
        head, _, attribute = path.partition(".")
        value = given.get(head)
        if attribute:
            owner = _contents(it, value)
            value = owner.attributes.get(attribute) if isinstance(owner, Instance) else None
        if isinstance(value, Ref) and isinstance(it.contents(value), _CONTAINERS):
            entries(it, value, filled=adds)


_CONTAINERS: Final = (DictObject, ListObject, SetObject)


def filled_while_made(it: Interpreter, info: ClassInfo) -> frozenset[str]:
    """The attributes of a dataclass into which ``__post_init__`` puts something in any case."""
    method = method_of(it, info.cls, "__post_init__")
    if not isinstance(method, Function):
        return frozenset()
    unit = method.code.unit
    receiver = unit.fact(parameter_names)[:1]
    found = _changed(it, unit, tuple(info.mro), CHANGED_LEVELS)
    paths = (path.partition(".") for path, adds in found.items() if adds)
    return frozenset(name for head, _, name in paths if name and head in receiver)


def _contents(it: Interpreter, value: Value | None) -> HeapObject | None:
    contents: HeapObject | None = it.contents(value) if isinstance(value, Ref) else None
    return contents


def _changed(
    it: Interpreter, unit: Unit, classes: tuple[Class, ...], levels: int
) -> Mapping[str, bool]:
    """What a function changes the entries of, a parameter or an attribute of one.

    Returns:
      Each as the function writes it, and whether entries are only set or added.
    """
    key = ("changed entries", id(unit), *(id(cls.definition) for cls in classes), levels)

    def find() -> dict[str, bool]:
        found: dict[str, bool] = {}
        for path, adds in _paths(it, unit, classes, levels):
            found[path] = adds and found.get(path, True)
        return found

    return it.memo.ask(key, find)


def _paths(
    it: Interpreter, unit: Unit, classes: tuple[Class, ...], levels: int
) -> Iterator[tuple[str, bool]]:
    names = unit.fact(parameter_names)
    for path, adds in unit.fact(changed_entries).items():
        if _is_of(path, names):
            yield path, adds
    for call in unit.fact(handed_on) if levels else ():
        for callee, given in _callees(it, unit, classes, names, call):
            for path, adds in _changed(it, callee, classes, levels - 1).items():
                head, dot, attribute = path.partition(".")
                written = f"{given.get(head, '')}{dot}{attribute}"
                if _is_of(written, names):
                    yield written, adds


def _is_of(path: str, names: Sequence[str]) -> bool:
    """Whether a dotted name is that of a parameter, or of an attribute of one."""
    return path.count(".") <= 1 and path.partition(".")[0] in names


def _callees(
    it: Interpreter, unit: Unit, classes: Sequence[Class], names: Sequence[str], call: HandedOn
) -> Iterator[tuple[Unit, dict[str, str]]]:
    """The functions that a call may be of, each with what its parameters are given."""
    owner, _, method = call.callee.rpartition(".")
    if owner and names and owner == names[0] and unit.cls is not None:
        for cls in classes:
            for each in cls.definition.methods.get(method, ()):
                if each is not unit:
                    yield each, _matched(each, (owner, *call.positional), call)
        return
    handed = (*call.positional, *(written for _, written in call.keywords))
    if any(_is_of(written, names) for written in handed if written):
        value = dotted_value(it, unit.module, call.callee)
        if isinstance(value, Function) and value.code.unit.is_function:
            yield value.code.unit, _matched(value.code.unit, call.positional, call)


def _matched(callee: Unit, positional: Sequence[str], call: HandedOn) -> dict[str, str]:
    return dict(zip(callee.fact(parameter_names), positional, strict=False)) | dict(call.keywords)

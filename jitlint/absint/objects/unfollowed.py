"""What calls that nobody looks into may have done to the objects that they are given.

``model.build(data)`` of a long method sets what ``__init__`` left at None; a guard that asks for it
later passes when the program runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitlint.absint.code.declarations import decorator_names, makes_on_demand
from jitlint.absint.machine.clock_signals import NotFollowed
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import observes
from jitlint.absint.modules.module_state import changing, is_set_somewhere, is_switch
from jitlint.absint.objects.changed_entries import forget_changed
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import UNKNOWN, Class, Ref, Unknown, Value
from jitlint.absint.values.heap import Instance

_COMPUTED: Final = frozenset({"property", "cached_property", "functools.cached_property"})


@observes(NotFollowed)
def _not_followed(it: Interpreter, called: NotFollowed) -> None:
    values = called.args.values()
    if called.code.is_unit:
        forget_changed(it, called.code.unit, called.args)
    if called.code.unit.cls is not None and values:
        _run_method(it, values[0], called.code.unit.name)
        values = values[1:]
    for value in values:
        classes, switches = _switches(it, value)
        for name in switches:
            if is_set_somewhere(it, classes, name):
                _change(it, value, name)


def _run_method(it: Interpreter, receiver: Value, method: str) -> None:
    """A method of an object runs, and those of its class that it calls."""
    classes, switches = _switches(it, receiver)
    if not switches:
        return
    running = _running_methods(classes, method)
    for name in switches:
        setting = [
            unit
            for cls in classes
            for other in running & cls.definition.assigned_attributes.get(name, set())
            for unit in cls.definition.methods.get(other, ())
        ]
        if setting:
            filled = all(makes_on_demand(unit, name) for unit in setting)
            _change(it, receiver, name, filled=filled)


def _switches(it: Interpreter, value: Value) -> tuple[Sequence[Class], list[str]]:
    """The classes of an object, and its attributes that are set or are not yet."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(contents, Instance):
        return (), []
    names = [name for name, held in contents.attributes.items() if is_switch(held)]
    return (class_info(it, contents.cls).mro, names) if names else ((), [])


def _change(it: Interpreter, value: Value, name: str, *, filled: bool = False) -> None:
    assert isinstance(value, Ref)
    attributes = it.edit(value).attributes
    changed = changing(attributes[name])
    attributes[name] = Unknown(given=True) if filled and changed == UNKNOWN else changed


def _running_methods(classes: Sequence[Class], name: str) -> set[str]:
    """A method, those that it calls and the properties that it reads, as far as names tell."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        method = waiting.pop()
        if method in found:
            continue
        found.add(method)
        for cls in classes:
            for unit in cls.definition.methods.get(method, ()):
                waiting += unit.words_called
                waiting += [word for word in unit.words_after_dots if _is_computed(classes, word)]
    return found


def _is_computed(classes: Sequence[Class], name: str) -> bool:
    """Whether a method runs where an attribute of that name is read."""
    return any(
        not _COMPUTED.isdisjoint(decorator_names(unit))
        for cls in classes
        for unit in cls.definition.methods.get(name, ())
    )

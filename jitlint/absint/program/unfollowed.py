"""What calls that nobody looks into may have done to the objects that they are given.

``model.build(data)`` of a long method sets what ``__init__`` left at None; a guard that asks for it
later passes when the program runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from jitlint.absint.machine.clock_signals import NotFollowed
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import observes
from jitlint.absint.modules.module_state import changing, is_set_somewhere, is_switch
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import Class, Ref, Value
from jitlint.absint.values.heap import Instance


@observes(NotFollowed)
def _not_followed(it: Interpreter, called: NotFollowed) -> None:
    values = called.args.values()
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
        if any(running & cls.definition.assigned_attributes.get(name, set()) for cls in classes):
            _change(it, receiver, name)


def _switches(it: Interpreter, value: Value) -> tuple[Sequence[Class], list[str]]:
    """The classes of an object, and its attributes that are set or are not yet."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(contents, Instance):
        return (), []
    names = [name for name, held in contents.attributes.items() if is_switch(held)]
    return (class_info(it, contents.cls).mro, names) if names else ((), [])


def _change(it: Interpreter, value: Value, name: str) -> None:
    assert isinstance(value, Ref)
    attributes = it.edit(value).attributes
    attributes[name] = changing(attributes[name])


def _running_methods(classes: Sequence[Class], name: str) -> set[str]:
    """A method and those that it calls, as far as their names tell."""
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
    return found

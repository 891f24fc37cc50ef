"""What calls that nobody looks into may have done to the object whose method they call.

``model.build(data)`` of a long method sets what ``__init__`` left at None; a guard that asks for it
later passes when the program runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from jitlint.absint.machine.clock_signals import NotFollowed
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import observes
from jitlint.absint.modules.module_state import changing, is_switch
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import Class, Ref
from jitlint.absint.values.heap import Instance


@observes(NotFollowed)
def _not_followed(it: Interpreter, called: NotFollowed) -> None:
    code, positional = called.code, called.args.positional
    if code.unit.cls is None or not positional or not isinstance(positional[0], Ref):
        return
    contents = it.contents(positional[0])
    if not isinstance(contents, Instance):
        return
    switches = {name: value for name, value in contents.attributes.items() if is_switch(value)}
    if not switches:
        return
    classes = class_info(it, contents.cls).mro
    running = _running_methods(classes, code.unit.name)
    for name, value in switches.items():
        if any(running & cls.definition.assigned_attributes.get(name, set()) for cls in classes):
            it.edit(positional[0]).attributes[name] = changing(value)


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

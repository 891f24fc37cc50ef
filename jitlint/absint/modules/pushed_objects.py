"""Objects that the project puts on stacks and into registries which outlive its functions.

A handler that is entered pushes itself on a stack of its module, ``_STACK.append(self)``, and what
happens in its block is told to what stands there: ``for each in _STACK: each.process(message)``.
Functions find such a container empty where nothing is run before them.  What it may hold is known
all the same, if all that is ever put there are objects of classes of the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from jitlint.absint.machine.verbs import verb
from jitlint.absint.modules.annotations import read
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.values.domain import UNKNOWN, Class, Value
from jitlint.absint.values.lattice import join_all
from jitlint.project.test_code import is_test
from jitlint.project.written.pushes import pushes

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import Unit
    from jitlint.project.written.pushes import Push


@verb("pushed in module")
def _in_module(it: Interpreter, module: ModuleIndex, name: str) -> Value:
    """What an element of a container may be that a module binds to a name; UNKNOWN if anything."""
    with it.reads.of(it, module, f"pushed {name}"):
        return _one_of(it, list(_into_module(it, module, name)))


@verb("pushed in member")
def _in_member(it: Interpreter, classes: Sequence[Class], name: str) -> Value:
    """The same for an attribute of a class, or of an object that a module holds."""
    module = classes[0].module
    with it.reads.of(it, module, f"pushed {classes[0].definition.qualname}.{name}"):
        return _one_of(it, list(_into_member(it, classes, name)))


def _into_module(it: Interpreter, module: ModuleIndex, name: str) -> Iterator[tuple[Unit, Push]]:
    for other in it.modules_with(name):
        for unit, push in _pushed(it, other.units_with(name), name):
            if not push.owner:
                holder = it.project.bindings(other, name)
                here = bool(holder) and all(b.unit.module is module for b in holder)
            else:
                here = push.owner.rpartition(".")[2] == module.name.rpartition(".")[2]
            if here:
                yield unit, push


def _into_member(
    it: Interpreter, classes: Sequence[Class], name: str
) -> Iterator[tuple[Unit, Push]]:
    owners = {"self", "cls", *(cls.definition.name for cls in classes)}
    definitions = [cls.definition for cls in classes]
    for module in it.modules_with(name):
        for unit, push in _pushed(it, module.units_with(name), name):
            if push.owner in owners and (push.owner[:1].isupper() or unit.cls in definitions):
                yield unit, push


def _pushed(it: Interpreter, units: Iterable[Unit], name: str) -> Iterator[tuple[Unit, Push]]:
    for unit in units:
        if not is_test(unit.module.path, unit.qualname):
            for push in it.written(pushes, unit).get(name, ()):
                yield unit, push


def _one_of(it: Interpreter, found: Sequence[tuple[Unit, Push]]) -> Value:
    """One of the objects that are put somewhere, UNKNOWN where one is of no class that is known."""
    classes = [_class_of(it, unit, push) for unit, push in found]
    known = [cls for cls in dict.fromkeys(classes) if cls is not None]
    if None in classes:
        return UNKNOWN
    return join_all(it.some_object(cls) for cls in known)


def _class_of(it: Interpreter, unit: Unit, push: Push) -> Class | None:
    """The class of what a unit puts somewhere, None if that is not known."""
    if push.is_receiver:
        assert unit.cls is not None
        return Class(unit.cls, unit.module)
    if push.made:
        made = dotted_value(it, unit.module, push.made)
    else:
        made = read(it, unit.module, push.declared).value
    return made if isinstance(made, Class) else None

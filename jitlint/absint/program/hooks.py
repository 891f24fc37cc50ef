"""What others do to the classes of a project and to their objects, beside what the classes say.

Decorators, metaclasses, ``__init_subclass__`` and bases of which nobody knows more than the name
may replace methods, convert what is set, and go over an object once it is made.
"""

from __future__ import annotations

import sys
from typing import Final

from jitlint.absint.code import declarations
from jitlint.absint.code.class_changes import (
    ClassChanges,
    changed_by_itself,
    class_changes,
    passes_on,
    set_by_module,
)
from jitlint.absint.limits import DECORATOR_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.program.classes import class_info, named_in_header
from jitlint.absint.values.domain import Class, External, Function, Value
from jitlint.foundation.records import Record
from jitlint.jaxmodel import frameworks

#: libraries whose bases, metaclasses and decorators leave what objects hold as it is, or are known
_KNOWN: Final = sys.stdlib_module_names | frozenset(
    """attr attrs beartype builtins chex equinox flax gym gymnasium haiku jax jaxtyping numpy optax
    pytest scipy sklearn torch typeguard typing_extensions""".split()
)
#: members that decide how an object comes to hold what it holds
MAKING: Final = frozenset(
    """__init__ __new__ __post_init__ __call__ __setattr__ __getattribute__ __init_subclass__
    __setstate__ __dict__""".split()
)
#: methods of a metaclass that run as a class is made
_OF_CLASS: Final = ("__new__", "__init__", "__prepare__")


class Hooks(Record):
    """What others do to a class and its objects.

    Args:
      stored: whether they may make something else of what is set on an object.
      remade: whether they may set attributes of an object once it is made.
      replaced: the members of the class, not of its bases, that they set.
      constants: whether they may make something else of what its body binds.
      methods: whether they may put anything in the place of its methods.
      read: whether a method decides what is given of what an object holds.
      sets: the method that is called to set an attribute, if a class of the project has one.
      passed: whether a metaclass makes objects of other arguments than the class is given.
    """

    stored: bool = False
    remade: bool = False
    replaced: frozenset[str] = frozenset()
    constants: bool = False
    methods: bool = False
    read: bool = False
    sets: Function | None = None
    passed: bool = False

    def __or__(self, other: Hooks) -> Hooks:
        """What both do."""
        return Hooks(
            self.stored or other.stored,
            self.remade or other.remade,
            self.replaced | other.replaced,
            self.constants or other.constants,
            self.methods or other.methods,
            self.read or other.read,
            self.sets or other.sets,
            self.passed or other.passed,
        )


_NONE: Final = Hooks()


def hooks_of(it: Interpreter, cls: Class) -> Hooks:
    """What is done to a class and its objects, that of its bases included but for replaced members.

    Args:
      it: the interpreter.
      cls: the class.
    """
    key = ("hooks", id(cls.definition), cls.closure)
    it.reads.read(cls.module)
    known: Hooks | None = it.facts.get(key)
    if known is None:
        # A base may be a class that this one is made with.
        it.facts[key] = _NONE
        with it.reads.of(it, cls.module, f"hooks {cls.definition.qualname}"):
            known = it.facts[key] = _hooks(it, cls)
    return known


def _hooks(it: Interpreter, cls: Class) -> Hooks:
    if _is_modelled(cls):
        return _NONE
    found = _own(it, cls)
    for other in class_info(it, cls).mro[1:]:
        if _is_modelled(other):
            continue
        of_base = hooks_of(it, other)
        found |= Hooks(
            stored=of_base.stored, remade=of_base.remade, read=of_base.read, sets=of_base.sets
        )
        for unit in other.definition.methods.get("__init_subclass__", ()):
            found |= _as_hooks(it.written(class_changes, unit))
        found |= _by_metaclass(it, other)
    return found


def _is_modelled(cls: Class) -> bool:
    """Whether the tables say what a class does: it is of a framework, in whose source we are."""
    return frameworks.base_class(f"{cls.module.name}.{cls.definition.qualname}") is not None


def _own(it: Interpreter, cls: Class) -> Hooks:
    definition = cls.definition
    setters = definition.methods.get("__setattr__", ())
    found = _by_metaclass(it, cls) | Hooks(
        read="__getattribute__" in definition.methods,
        sets=Function(it.store.of_unit(setters[-1]), cls.closure) if setters else None,
    )
    for base in it.written(declarations.bases_of, definition):
        if not _is_known(it, named_in_header(it, cls, base)):
            found |= Hooks(stored=True)
    for name, call in it.written(declarations.decorators_of, definition):
        decorator = named_in_header(it, cls, name)
        if call is not None and decorator == External("functools.partial"):
            first = call.arguments[0] if call.arguments else None
            written = first.text if isinstance(first, declarations.Name) else None
            decorator = named_in_header(it, cls, written)
        if isinstance(decorator, Function):
            found |= _as_hooks(_changes_by(it, decorator))
        elif not _is_known(it, decorator):
            found |= Hooks(stored=True)
    members = {
        *it.written(changed_by_itself, definition),
        *cls.module.fact(set_by_module, definition.name),
    }
    return found | Hooks(replaced=frozenset(members - {""}), constants="" in members)


def _by_metaclass(it: Interpreter, cls: Class) -> Hooks:
    name = declarations.metaclass_of(cls.definition)
    if name is None:
        return _NONE
    metaclass = named_in_header(it, cls, name)
    if not isinstance(metaclass, Class):
        return _NONE if _is_known(it, metaclass) else Hooks(stored=True, constants=True)
    found = _NONE
    for other in class_info(it, metaclass).mro:
        methods = other.definition.methods
        found |= Hooks(
            remade="__call__" in methods,
            passed=not all(it.written(passes_on, unit) for unit in methods.get("__call__", ())),
        )
        for unit in (unit for made in _OF_CLASS for unit in methods.get(made, ())):
            changes = it.written(class_changes, unit)
            found |= _as_hooks(changes) | Hooks(methods=changes.computed)
    return found


def _as_hooks(changes: ClassChanges) -> Hooks:
    """What functions do to a class and its objects that set some members of it."""
    remade = not changes.members.isdisjoint(MAKING)
    return Hooks(
        remade=remade or changes.makes,
        replaced=changes.members,
        constants=changes.computed or changes.makes,
        methods=changes.every,
    )


def _changes_by(
    it: Interpreter, decorator: Function, depth: int = DECORATOR_LEVELS
) -> ClassChanges:
    """What a decorator of the project sets on classes, and the functions that it calls."""
    unit = decorator.code.unit
    it.reads.read(unit.module)
    found = it.written(class_changes, unit)
    for name in unit.outer_calls:
        value = dotted_value(it, unit.module, name)
        if isinstance(value, Function) and depth and value != decorator:
            found |= _changes_by(it, value, depth - 1)
    return found


def _is_known(it: Interpreter, value: Value) -> bool:
    """Whether it is known what a base, a decorator or a metaclass does: a class is looked into."""
    if isinstance(value, Class):
        return True
    if not isinstance(value, External):
        return False
    known = frameworks.base_class(value.name) is not None or frameworks.lookup(value.name)
    return bool(known) or value.name.partition(".")[0] in _KNOWN

"""Subclasses: which classes of the project an object of a class may be of, and where they differ.

A method that a base class only declares is filled in by subclasses, and what a base class does with
such methods depends on which of them its object is of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.declarations import is_declaration
from jitlint.absint.code.modules_written import (
    OTHER_COMPILERS,
    derived_classes,
    is_written_for_jax,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.confinement import is_confined
from jitlint.absint.values.domain import Class
from jitlint.jaxmodel import functions
from jitlint.project.test_code import is_test

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import ClassDefinition

#: what makes the attributes of an object
_INITIALISERS: Final = ("__init__", "__post_init__", "setup")
#: where each name is defined that a method may ask its object for, and those only declared
_Behaviour = tuple[dict[str, "ClassDefinition"], frozenset[str]]


def subclasses(it: Interpreter, cls: Class) -> list[Class]:
    """The classes of the project that derive from a class, tests last."""
    key = ("subclasses", id(cls.definition))
    it.reads.read(cls.module)
    found: list[Class] | None = it.facts.get(key)
    if found is None:
        with it.reads.of(it, cls.module, f"subclasses {cls.definition.qualname}"):
            found = [*dict.fromkeys(_below(it, cls))]
            found.sort(key=lambda c: is_test(c.module.path, c.definition.qualname))
        it.facts[key] = found
    return found


def _below(it: Interpreter, cls: Class) -> Iterator[Class]:
    name = cls.definition.name
    for module in it.modules_with(name):
        for definition in it.written(derived_classes, module).get(name, ()):
            other = Class(definition, module)
            if other != cls and cls in class_info(it, other).mro:
                yield other
                yield from subclasses(it, other)


def variants(it: Interpreter, cls: Class, name: str) -> tuple[Class, ...]:
    """The classes in which an inherited method, or what it leads to, is something else.

    Args:
      it: the interpreter.
      cls: what is known of the class of the object.
      name: the method.

    Returns:
      One class of each kind: the class itself, unless subclasses fill in what it only declares,
      and subclasses.
    """
    key = ("variants", id(cls.definition), name)
    it.reads.read(cls.module)
    found: tuple[Class, ...] | None = it.facts.get(key)
    if found is None:
        with it.reads.of(it, cls.module, f"variants {cls.definition.qualname}.{name}"):
            found = _variants(it, cls, name)
        it.facts[key] = found
    return found


def _variants(it: Interpreter, cls: Class, name: str) -> tuple[Class, ...]:
    others = subclasses(it, cls)
    if not others:
        return (cls,)
    own = _behaviour(it, cls, name)
    known = [own]
    chosen: list[Class] = []
    for other in others:
        if not _computes_with_jax(it, other.module) or is_confined(it, other):
            continue
        behaviour = _behaviour(it, other, name)
        if own[1] and own[1] <= behaviour[1]:
            # Another base class.
            continue
        if behaviour not in known:
            known.append(behaviour)
            chosen.append(other)
    if not own[1] or not chosen:
        chosen.insert(0, cls)
    return tuple(chosen)


def _computes_with_jax(it: Interpreter, module: ModuleIndex) -> bool:
    """Whether a module is written for JAX, be it by way of a module of the project.

    ``from brax import jumpy as jp`` gives it ``jp.zeros``, and JAX is what that stands on.
    """
    if it.written(is_written_for_jax, module):
        return True
    for alias in it.written(_array_namespaces, module):
        for binding in module.bound(alias):
            target = binding.target
            if target is None:
                continue
            source = it.project.find_module(target.qualified, module)
            if source is not None and it.written(is_written_for_jax, source):
                return True
    return False


def _array_namespaces(module: ModuleIndex) -> frozenset[str]:
    """The names of which a module asks for functions that ``jax.numpy`` has.

    There are none in a module that imports NumPy, or another compiler.
    """
    targets = {
        binding.target.module.partition(".")[0]
        for bindings in module.bindings.values()
        for binding in bindings
        if binding.target is not None
    }
    if not targets.isdisjoint(OTHER_COMPILERS | {"numpy"}):
        return frozenset()
    parts = [name.split(".") for unit in module.units for name in unit.mentions]
    return frozenset(
        head
        for head, *rest in parts
        if len(rest) == 1
        and module.binds(head)
        and (fact := functions.lookup(f"jax.numpy.{rest[0]}")) is not None
        and fact.returns.startswith("array")
    )


def _behaviour(it: Interpreter, cls: Class, name: str) -> _Behaviour:
    order = tuple([other.definition for other in class_info(it, cls).mro])
    key = ("behaviour", name, *map(id, order))
    return it.memo.ask(key, lambda: _defining(it, _owners(it, order), name))


def _owners(it: Interpreter, order: Sequence[ClassDefinition]) -> Mapping[str, ClassDefinition]:
    """The class that each name of a hierarchy comes from, the first one that binds it."""
    key = ("owners", *map(id, order))

    def find() -> dict[str, ClassDefinition]:
        owners: dict[str, ClassDefinition] = {}
        for definition in reversed(order):
            owners.update(dict.fromkeys(definition.bound, definition))
        return owners

    return it.memo.ask(key, find)


def _defining(it: Interpreter, owners: Mapping[str, ClassDefinition], name: str) -> _Behaviour:
    members: dict[str, ClassDefinition] = {}
    declared: set[str] = set()
    waiting = [name, *_INITIALISERS]
    while waiting:
        word = waiting.pop()
        if word in members:
            continue
        owner = owners.get(word)
        if owner is None:
            continue
        members[word] = owner
        for unit in owner.methods.get(word, ())[-1:]:
            if it.written(is_declaration, unit):
                declared.add(word)
            elif word not in _INITIALISERS:
                waiting.extend(unit.words_after_dots)
    return members, frozenset(declared)

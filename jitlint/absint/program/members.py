"""Attributes of classes and instances: looked up as Python does, and bound."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Final

import libcst as cst

from jitlint.absint.code.declarations import decorator_names, field_of, metaclass_of
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.keeping import keeping
from jitlint.absint.machine.signals import Received
from jitlint.absint.machine.verbs import attributes_of, calls_of, iterations_of
from jitlint.absint.modules import module_state
from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.modules.module_state import is_converted
from jitlint.absint.program.chex_tests import variant
from jitlint.absint.program.classes import PLAIN_KINDS, ClassInfo, class_info
from jitlint.absint.program.dict_classes import entries_of
from jitlint.absint.program.hooks import MAKING, hooks_of
from jitlint.absint.values.domain import (
    STATIC,
    STR,
    UNKNOWN,
    BoundMethod,
    Cached,
    Class,
    Const,
    ContainerMethod,
    Descriptor,
    Dispatched,
    EnumMember,
    External,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import OTHERS, Instance, ListObject, Variables
from jitlint.absint.values.lattice import Elements, union_of
from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.expectations import INHERITED
from jitlint.jaxmodel.functions import array_attribute, array_method
from jitlint.jaxmodel.host_code import THREAD, THREAD_METHODS
from jitlint.jaxmodel.leaves import MAKES_ITEMS
from jitlint.project.units import Unit

#: what stands for a function under ``contextlib.contextmanager``
MANAGED: Final = External("jitlint.managed")
#: methods that are given the class, whatever stands above them
IMPLICIT_CLASSMETHODS: Final = frozenset({"__init_subclass__", "__class_getitem__"})
_INTEGER_ENUMS: Final = frozenset({"enum.IntEnum", "enum.IntFlag"})


def find_in_class(it: Interpreter, cls: Class, name: str) -> tuple[Class, Value] | None:
    """A class attribute by the method resolution order: (class that defines it, raw value)."""
    for owner in class_info(it, cls).mro:
        definition = owner.definition
        known: Value | None = it.registered.get(member_key(owner, name))
        if known is not None:
            return owner, known
        units = definition.methods.get(name)
        if units:
            if name not in MAKING:
                hooks = hooks_of(it, owner)
                if hooks.methods or name in hooks.replaced:
                    return owner, UNKNOWN
            return owner, method_value(it, owner, _read_by(units, name))
        unit = definition.attributes.get(name)
        if unit is not None:
            return owner, _hooked(it, owner, name, _class_variable(it, owner, unit, name))
        inner = definition.classes.get(name)
        if inner is not None:
            return owner, Class(inner, owner.module, owner.closure)
    return None


def member_key(cls: Class, name: str) -> tuple[str, int, str]:
    """Under which key it is registered what modules set on a class: ``Class.name = value``."""
    return "member", id(cls.definition), name


def _hooked(it: Interpreter, cls: Class, name: str, value: Value) -> Value:
    """What is left to be known of a class variable, as others set it or convert it."""
    if value == UNKNOWN or (isinstance(value, (Const, Static)) and not is_converted(value)):
        return value
    hooks = hooks_of(it, cls)
    changed = name in hooks.replaced or (hooks.constants and is_converted(value))
    return UNKNOWN if changed else value


def _read_by(units: Sequence[Unit], name: str) -> Unit:
    """Of the definitions of a name in a class the one that reads it: no setter of a property."""
    if len(units) == 1:
        return units[0]
    other = (f"{name}.setter", f"{name}.deleter")
    reading = [unit for unit in units if not set(other) & set(decorator_names(unit))]
    return (reading or units)[-1]


def method_of(it: Interpreter, cls: Class, name: str) -> Function | None:
    """A method that is a plain function, None if the class has none of this name."""
    found = find_in_class(it, cls, name)
    return found[1] if found is not None and isinstance(found[1], Function) else None


def method_value(it: Interpreter, cls: Class, unit: Unit) -> Value:
    """What a definition in a class body makes: a function, or what its decorators give."""
    if not unit.decorated:
        function = Function(it.store.of_unit(unit), cls.closure)
        implicit = unit.name in IMPLICIT_CLASSMETHODS
        return Descriptor("classmethod", function) if implicit else function
    return run_unit(it, unit, cls.closure).get(unit.name, UNKNOWN)


def _class_variable(it: Interpreter, cls: Class, unit: Unit, name: str) -> Value:
    declared = field_of(unit)
    if declared is not None:
        made = declared.specifier
        last = "" if made is None else made.name.rpartition(".")[2]
        if not declared.has_default or "field" in last or last in ("static", "static_field"):
            return UNKNOWN
    return run_unit(it, unit, cls.closure).get(name, UNKNOWN)


def class_attribute(it: Interpreter, receiver: Ref, name: str) -> Value | None:
    """A method of an instance's class, bound to it; None if the class does not define it."""
    contents = it.contents(receiver)
    if not isinstance(contents, Instance):
        return None
    found = find_in_class(it, contents.cls, name)
    return None if found is None else _bind(found[1], receiver, contents.cls)


def is_kept_property(it: Interpreter, cls: Class, name: str) -> bool:
    """Whether an attribute is what a ``cached_property`` has kept in the object, and only there.

    An object that is made anew, from its fields or its children, has not been asked for it yet.
    """
    found = find_in_class(it, cls, name)
    raw = None if found is None else found[1]
    return isinstance(raw, Descriptor) and raw.kind == "cached_property"


def _bind(raw: Value, receiver: Value, cls: Value) -> Value:
    if isinstance(raw, Union):
        # A decorator that a setting turns off leaves one of two functions.
        return union_of(_bind(member, receiver, cls) for member in raw.members)
    if isinstance(raw, Descriptor):
        if raw.kind == "staticmethod":
            return raw.function
        if raw.kind == "classmethod":
            return BoundMethod(raw.function, cls)
        return raw
    if isinstance(raw, (Function, Transformed, Partial, Dispatched)):
        # A partial object is no descriptor: it is called without the instance.
        is_partial = isinstance(raw, Partial) and raw.function != MANAGED
        return raw if is_partial else BoundMethod(raw, receiver)
    if isinstance(raw, Cached):
        return BoundMethod(raw, receiver)
    return raw


def instance_attribute(it: Interpreter, receiver: Ref, name: str, node: cst.CSTNode) -> Value:
    """An attribute of an object of a class of the project."""
    contents = it.contents(receiver)
    assert isinstance(contents, Instance)
    value = contents.attributes.get(name)
    if value is not None:
        classes = class_info(it, contents.cls).mro
        if hooks_of(it, contents.cls).read:
            # It may give anything else.
            return UNKNOWN
        if type(value) is Const or type(value) is Ref or is_converted(value):
            return module_state.of_attribute(it, receiver, classes, name, value)
        return value
    chosen = variant(it) if name == "variant" else None
    if chosen is not None:
        return chosen
    found = find_in_class(it, contents.cls, name)
    info = class_info(it, contents.cls)
    if found is not None:
        owner, raw = found
        if isinstance(raw, Descriptor) and raw.kind in ("property", "cached_property"):
            kept = raw.kind == "cached_property"
            with keeping(it, raw.function, (receiver,)) if kept else nullcontext():
                given = it.call(raw.function, Arguments([receiver]), node)
            if it.trace is None:
                it.signal(Received(given))
                if raw.kind == "cached_property":
                    # Computed before any trace: found there by every later one.
                    it.edit(receiver).attributes[name] = given
            return given
        getter = class_attribute(it, raw, "__get__") if isinstance(raw, Ref) else None
        if getter is not None:
            return it.call(getter, Arguments([receiver, contents.cls]), node)
        if info.kind == "enum" and name in owner.definition.attributes:
            return STATIC
        if isinstance(raw, (Const, Ref)):
            raw = module_state.of_class(it, info.mro, name, raw)
        if OTHERS in contents.attributes and not isinstance(raw, _METHODS):
            return UNKNOWN
        if name in owner.definition.methods or not any(f.name == name for f in info.fields):
            return _bind(raw, receiver, contents.cls)
        return raw
    if name == "__class__":
        return contents.cls
    if name == "__dict__":
        # Lazy attributes are kept through it: which of them are there yet is not known.
        return UNKNOWN
    if name in ("replace", "_replace") and info.kind in ("dataclass", "namedtuple"):
        return BoundMethod(External("jitlint.replace"), receiver)
    fact = _framework_method(info, name)
    if fact is not None:
        return ExternalInstance(
            "jitlint.method",
            (("receiver", receiver), ("name", Const(name)), ("gives", Const(fact))),
        )
    if name in INHERITED:
        return External(INHERITED[name])
    # Only what no base gives is delegated.  A private name is set where that is not seen; what
    # `__getattr__` delegates is public, and nothing that a method of the class sets.
    if not name.startswith("_") and info.complete and not sets_attribute(info, name):
        fallback = class_attribute(it, receiver, "__getattr__")
        if fallback is not None:
            return it.call(fallback, Arguments([Const(name)]), node)
    entries = entries_of(it, receiver, name)
    if entries is not None:
        return it.attribute(entries, name, node)
    return thread_method(info, receiver, name) or UNKNOWN


#: what classes give their objects that nobody sets by a computed name
_METHODS: Final = (BoundMethod, Cached, Class, Descriptor, Dispatched, Function, Partial)


def sets_attribute(info: ClassInfo, name: str) -> bool:
    """Whether a method sets an attribute, so that objects have it even where nothing shows that."""
    return any(name in owner.definition.assigned_attributes for owner in info.mro)


def thread_method(info: ClassInfo, receiver: Value, name: str) -> Value | None:
    """A method that an object has from Python's class of threads, None if it has no such."""
    if name not in THREAD_METHODS or THREAD not in info.externals:
        return None
    return BoundMethod(External(f"{THREAD}.{name}"), receiver)


def _framework_method(info: ClassInfo, name: str) -> str | None:
    for external in info.externals:
        fact = frameworks.base_class(external)
        if fact is not None and name in fact.methods:
            return fact.methods[name]
    return None


def _may_make_items(info: ClassInfo) -> bool:
    """Whether a class may make something else of texts in its body.

    A metaclass does, as that of Equinox' enumerations, and so may that of a base that is not known.
    """
    named = [metaclass_of(owner.definition) for owner in info.mro]
    facts = [frameworks.base_class(external) for external in info.externals]
    return (
        not info.complete
        or any(fact is not None and fact.name in MAKES_ITEMS for fact in facts)
        or any(name is not None and name.rpartition(".")[2] != "ABCMeta" for name in named)
    )


@attributes_of(Class)
def _class_attribute(it: Interpreter, cls: Class, name: str, node: cst.CSTNode) -> Value:
    found = find_in_class(it, cls, name)
    if found is None:
        if _framework_method(class_info(it, cls), name) == "same":
            return BoundMethod(External("jitlint.create"), cls)
        if name in ("__name__", "__qualname__", "__module__", "__doc__"):
            return STR
        if name == "__new__" and class_info(it, cls).kind in PLAIN_KINDS:
            return External("builtins.object.__new__")
        return UNKNOWN
    raw = found[1]
    if isinstance(raw, Descriptor):
        if raw.kind == "classmethod":
            return BoundMethod(raw.function, cls)
        return raw.function
    info = class_info(it, cls)
    if info.kind == "enum":
        integer = any(external in _INTEGER_ENUMS for external in info.externals)
        qualname = f"{cls.module.name}.{cls.definition.qualname}.{name}"
        return EnumMember(qualname, cls, "int" if integer else None)
    if isinstance(raw, Const) and isinstance(raw.value, str) and _may_make_items(info):
        return UNKNOWN
    if isinstance(raw, (Const, Ref)):
        return module_state.of_class(it, info.mro, name, raw)
    return raw


@attributes_of(Tuple)
def _tuple_attribute(it: Interpreter, value: Tuple, name: str, node: cst.CSTNode) -> Value:
    if isinstance(value.cls, ExternalInstance):
        fields = dict(value.cls.attributes)["fields"]
        assert isinstance(fields, Tuple)
        for field_name, item in zip(fields.items, value.items, strict=False):
            if field_name == Const(name):
                return item
        if name == "_replace":
            return BoundMethod(External("jitlint.replace"), value)
    if isinstance(value.cls, Class):
        names = [made.name for made in class_info(it, value.cls).fields]
        if name in names and names.index(name) < len(value.items):
            return value.items[names.index(name)]
        if name == "_replace":
            return BoundMethod(External("jitlint.replace"), value)
        if name == "_asdict":
            return Partial(External("jitlint.fields"), (value,), ())
        if name == "_fields":
            return Tuple(tuple(Const(field_name) for field_name in names))
        found = find_in_class(it, value.cls, name)
        if found is not None:
            raw = found[1]
            if isinstance(raw, Descriptor) and raw.kind == "property":
                return it.call(raw.function, Arguments([value]), node)
            return _bind(raw, value, value.cls)
    if name in ("index", "count"):
        return ContainerMethod(value, name)
    of_arrays = array_attribute(name) is not None or array_method(name) is not None
    if value.cls is None and of_arrays:
        _mistaken(it, node)
    return UNKNOWN


def _mistaken(it: Interpreter, node: cst.CSTNode) -> None:
    """A variable is asked for what only an array has: whoever gets past this has passed one."""
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
        own = it.contents(it.frame.env)
        if isinstance(own, Variables) and node.value.value in own:
            it.variables(it.frame.env)[node.value.value] = UNKNOWN


def super_attribute(
    it: Interpreter, owner: Class, receiver: Value, name: str, node: cst.CSTNode
) -> Value:
    """``super().name`` in a method of ``owner``: what comes after it in the receiver's classes."""
    contents = it.contents(receiver) if isinstance(receiver, Ref) else receiver
    cls = contents.cls if isinstance(contents, Instance) else contents
    order = class_info(it, cls).mro if isinstance(cls, Class) else []
    if owner not in order:
        order = class_info(it, owner).mro
    for other in order[order.index(owner) + 1 :]:
        units = other.definition.methods.get(name)
        if units:
            raw = method_value(it, other, units[-1])
            if isinstance(raw, Descriptor) and raw.kind == "property":
                return it.call(raw.function, Arguments([receiver]), node)
            if name == "__new__":
                return raw
            return _bind(raw, receiver, cls if isinstance(cls, Class) else owner)
    plain = isinstance(cls, Class) and class_info(it, cls).kind in PLAIN_KINDS
    if name == "__new__" and plain:
        return External("builtins.object.__new__")
    if name in ("__setattr__", "__delattr__"):
        return BoundMethod(External(f"builtins.object.{name}"), receiver)
    return thread_method(class_info(it, owner), receiver, name) or UNKNOWN


@calls_of(Ref)
def _call(it: Interpreter, receiver: Ref, args: Arguments, node: cst.CSTNode) -> Value:
    if not isinstance(it.contents(receiver), Instance):
        return UNKNOWN
    method = class_attribute(it, receiver, "__call__")
    return UNKNOWN if method is None else it.call(method, args, node)


@iterations_of(Instance)
def _iterate(it: Interpreter, value: Ref, node: cst.CSTNode) -> Elements:
    method = class_attribute(it, value, "__iter__")
    if method is not None:
        made = it.call(method, Arguments(), node)
        contents = it.contents(made) if isinstance(made, Ref) else None
        if isinstance(contents, ListObject):
            return contents.element, contents.items
        following = class_attribute(it, made, "__next__") if isinstance(made, Ref) else None
        if following is not None:
            return it.call(following, Arguments(), node), None
    return UNKNOWN, None

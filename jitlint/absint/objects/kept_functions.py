"""Functions that methods make and keep for others: ``setup`` jits a step, ``run`` calls it.

What ``__init__`` leaves open, other methods give: they are run on the object that it makes, and of
what they leave behind, only functions count.  An attribute may still be what it was, and
a dict may still be without what is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.declarations import starts_as_none
from jitlint.absint.code.modules_written import item_setters, own_callers, private_users
from jitlint.absint.limits import KEEPING_METHODS
from jitlint.absint.program.classes import ClassInfo
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    BoundMethod,
    Descriptor,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Transformed,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, Slot
from jitlint.absint.values.lattice import join_all
from jitlint.jaxmodel.transforms import COMPILED

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.absint.values.heap import State

#: runs a method on an object; of its arguments nothing but what is declared is known
Run = Callable[[Function, Ref], None]

#: methods that make objects
_MAKING: Final = frozenset({"__init__", "__post_init__"})


def keep_functions(it: Interpreter, info: ClassInfo, instance: Ref, run: Run) -> None:
    """Give an object the functions that its other methods keep in its attributes.

    Args:
      it: the interpreter.
      info: its class.
      instance: the object, as ``__init__`` leaves it.
      run: runs a method.
    """
    known = dict(it.contents(instance).attributes)
    dicts = {
        name: value
        for name, value in known.items()
        if isinstance(value, Ref) and _is_empty_dict(it.contents(value))
    }
    setters = _setters(info, known)
    methods = sorted({*_fillers(info, dicts), *(method for _, method in setters)})
    open_ = {name for name, _ in setters}
    found: dict[str, list[Value]] = {}
    for method in methods[:KEEPING_METHODS]:
        function = _method(it, info, method)
        if function is None:
            continue
        before = it.state
        it.state = before.copy()
        attributes = it.edit(instance).attributes
        attributes |= {name: NONE for name in open_ if attributes.get(name) == UNKNOWN}
        for kept in dicts.values():
            # Of its own, so that what is there is what this method puts there.
            it.state.edit(kept.id)
        try:
            run(function, instance)
        finally:
            after, it.state = it.state, before
        left = dict(_left_behind(after, instance, open_, dicts))
        if left:
            _take_over(before, after)
        for name, value in left.items():
            found.setdefault(name, [NONE if name in open_ else known[name]]).append(value)
    for name, values in found.items():
        if name in dicts:
            rest = join_all(values[1:])
            if is_kept(rest):
                it.state.put(dicts[name].id, DictObject({}, rest))
        elif is_kept(value := join_all(values)):
            it.edit(instance).attributes[name] = value


def _method(it: Interpreter, info: ClassInfo, name: str) -> Function | None:
    """A method, or what a property runs."""
    found = find_in_class(it, info.cls, name)
    value = None if found is None else found[1]
    if isinstance(value, Descriptor) and value.kind == "property":
        value = value.function
    return value if isinstance(value, Function) else None


def is_kept(value: Value) -> bool:
    """Whether a value is a function of the project or a compiled one, or one of several or None."""
    members = members_of(value)
    return any(_is_compiled(m) or isinstance(m, Function) for m in members) and all(
        member == NONE
        or _is_compiled(member)
        or isinstance(member, (Function, BoundMethod, Partial))
        for member in members
    )


def _is_compiled(value: Value) -> bool:
    return isinstance(value, Transformed) or (
        isinstance(value, ExternalInstance) and value.cls == COMPILED
    )


def makers_of(info: ClassInfo) -> frozenset[str]:
    """The methods that run while an object is made, and never again.

    Those are ``__init__`` and the private methods that it leads to, and no other method does.
    """
    users: dict[str, set[str]] = {}
    for cls in info.mro:
        for member, names in cls.definition.fact(private_users).items():
            users.setdefault(member, set()).update(names)
    found = set(_MAKING)
    while more := {name for name, its in users.items() if its <= found} - found:
        found |= more
    return frozenset(found)


def _is_empty_dict(contents: object) -> bool:
    return isinstance(contents, DictObject) and not contents.items and contents.rest is None


def _setters(info: ClassInfo, known: Mapping[str, Value]) -> set[tuple[str, str]]:
    """Attributes that are called, and the methods that set them where there was nothing before."""
    making = makers_of(info)
    return {
        (name, method)
        for cls in info.mro
        for name, methods in cls.definition.assigned_attributes.items()
        if (value := known.get(name, NONE)) in (NONE, UNKNOWN) and _is_asked_for(info, name)
        # One that sets it while the object is made, and was not followed, has left it unknown.
        for method in (methods - making if value == NONE else methods - _MAKING)
        if value == NONE or _starts_as_none(info, name)
    }


def _is_asked_for(info: ClassInfo, name: str) -> bool:
    """Whether an attribute is called, or what a method gives."""
    asked = rf"\.{name}\(|return self\.{name}\n"
    return any(cls.module.finds(asked) for cls in info.mro)


def _starts_as_none(info: ClassInfo, name: str) -> bool:
    """Whether an object is made with nothing in an attribute, as far as ``__init__`` says."""
    said = [
        starts_as_none(unit, name)
        for cls in info.mro
        for method in _MAKING
        for unit in cls.definition.methods.get(method, ())
    ]
    return True in said and False not in said


def _fillers(info: ClassInfo, dicts: Mapping[str, Ref]) -> Iterator[str]:
    """The methods that put something into one of some dicts, or call such a method."""
    for name in _in_force(info, item_setters, *sorted(dicts)) if dicts else ():
        yield from [*_in_force(info, own_callers, name)] or [name]


def _in_force(
    info: ClassInfo, rule: Callable[..., tuple[str, ...]], *details: str
) -> Iterator[str]:
    """The methods of which a rule tells, without those in whose place an object has others."""
    classes = [cls.definition for cls in info.mro]
    for place, definition in enumerate(classes):
        for name in definition.fact(rule, *details):
            if name not in _MAKING and all(name not in each.methods for each in classes[:place]):
                yield name


def _left_behind(
    state: State, instance: Ref, open_: set[str], dicts: Mapping[str, Ref]
) -> Iterator[tuple[str, Value]]:
    """The functions that a method has left in attributes, and in dicts."""
    contents = state.get(instance.id)
    if isinstance(contents, Instance):
        for name in open_:
            value = contents.attributes.get(name, NONE)
            if value != NONE:
                yield name, value
    for name, kept in dicts.items():
        contents = state.get(kept.id)
        if isinstance(contents, DictObject) and (contents.items or contents.rest is not None):
            values = [*contents.items.values()]
            yield name, join_all(values if contents.rest is None else [*values, contents.rest])


def _take_over(state: State, after: State) -> None:
    """Keep the objects that a run has made, as far as they are new."""
    for number, contents in after.heap.items():
        if state.get(number) is None and not isinstance(contents, Slot):
            state.share(number, contents)

"""Functions that methods make and keep for others: ``setup`` jits a step, ``run`` calls it.

What ``__init__`` leaves open, other methods give: they are run on the object that it makes, and of
what they leave behind, only compiled functions count.  An attribute may still be what it was, and
a dict may still be without what is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from jitlint.absint.limits import KEEPING_METHODS
from jitlint.absint.program.classes import ClassInfo
from jitlint.absint.program.members import method_of
from jitlint.absint.values.domain import (
    NONE,
    BoundMethod,
    Function,
    Partial,
    Ref,
    Transformed,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, Slot
from jitlint.absint.values.lattice import join_all

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
        function = method_of(it, info.cls, method)
        if function is None:
            continue
        before = it.state
        it.state = before.copy()
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
            found.setdefault(name, [known.get(name, NONE)]).append(value)
    for name, values in found.items():
        if name in dicts:
            rest = join_all(values[1:])
            if is_kept(rest):
                it.state.put(dicts[name].id, DictObject({}, rest))
        elif is_kept(value := join_all(values)):
            it.edit(instance).attributes[name] = value


def is_kept(value: Value) -> bool:
    """Whether a value is a compiled function, or one of several functions or None."""
    members = members_of(value)
    return any(isinstance(member, Transformed) for member in members) and all(
        member == NONE or isinstance(member, (Transformed, Function, BoundMethod, Partial))
        for member in members
    )


def _is_empty_dict(contents: object) -> bool:
    return isinstance(contents, DictObject) and not contents.items and contents.rest is None


def _setters(info: ClassInfo, known: Mapping[str, Value]) -> set[tuple[str, str]]:
    """Attributes that are called, and the methods that set them where there was nothing before."""
    return {
        (name, method)
        for cls in info.mro
        for name, methods in cls.definition.assigned_attributes.items()
        if known.get(name, NONE) == NONE and f".{name}(" in cls.module.text
        for method in methods - _MAKING
    }


def _fillers(info: ClassInfo, dicts: Mapping[str, Ref]) -> Iterator[str]:
    """The methods that put something into one of some dicts, or call such a method."""
    if not dicts:
        return
    fills = re.compile(rf"\bself\.(?:{'|'.join(map(re.escape, dicts))})\[.*\] = ")
    texts = {
        name: "\n".join(unit.text for unit in units)
        for cls in reversed(info.mro)
        for name, units in cls.definition.methods.items()
        if name not in _MAKING
    }
    for name, text in texts.items():
        if fills.search(text):
            callers = [other for other, its in texts.items() if f"self.{name}(" in its]
            yield from callers or [name]


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

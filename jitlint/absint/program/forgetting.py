"""Forgetting: what something that is not followed may have changed is not known any more.

Whatever changes objects in a way that the interpreter does not follow to its end says here what it
may touch, and nothing else is taken away:

=====================================  =========================================================
a name that is not known, ``setattr``  :func:`attributes`: those that it may be
``vars(x)``, ``x.__dict__``            the same, by the keys that are known
a callee that nobody follows           :func:`given`: all that it can reach from its arguments
a function that the tables know        :func:`by_library`: what ``jaxmodel.changes`` says
a key that is not known, of a list     :func:`entries`
=====================================  =========================================================

What may be set by code that runs at another time is for ``modules.module_state`` to say, what hooks
of its class make of a value :mod:`~jitlint.absint.program.hooks`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import libcst as cst

from jitlint.absint.limits import COPIED_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import AttributeLost
from jitlint.absint.machine.verbs import verb
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.frozen import is_frozen
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    Cached,
    Class,
    Const,
    Function,
    Partial,
    Ref,
    Transformed,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import (
    OTHERS,
    DictObject,
    HeapObject,
    Instance,
    ListObject,
    SetObject,
)
from jitlint.absint.values.lattice import join
from jitlint.absint.values.traversal import parts_of
from jitlint.jaxmodel.changes import Extent, change_by

#: what strangers leave as it is: who replaces what an object does knows that object
_CALLABLES: Final = (BoundMethod, Cached, Class, Function, Partial, Transformed)


def attributes(
    it: Interpreter, owner: Ref, stored: Value = UNKNOWN, names: re.Pattern[str] | None = None
) -> None:
    """An attribute of an object is set whose name is not known, or some of them are.

    Args:
      it: the interpreter.
      owner: the object.
      stored: what they are set to; what has that value keeps it.
      names: what their names look like, None if they may be any.
    """
    contents = it.edit(owner)
    if not isinstance(contents, Instance):
        return
    for name, held in contents.attributes.items():
        if names is not None and not names.fullmatch(name):
            continue
        if held == stored and not isinstance(held, Unknown):
            # What is known of both stays, but not which array it is.
            contents.attributes[name] = join(held, stored)
        else:
            # One of its own: setting the attribute to what it holds changes nothing.
            contents.attributes[name] = Unknown()
    contents.attributes[OTHERS] = UNKNOWN


def taken_away(it: Interpreter, owner: Ref, name: Value | None) -> None:
    """An attribute of an object is taken away, of which the name need not be known."""
    it.signal(AttributeLost(owner))
    attributes(it, owner, UNKNOWN, names_like(name))


def become(it: Interpreter, owner: Ref) -> None:
    """An object may be of another class: what its methods do is not known."""
    contents = it.edit(owner)
    assert isinstance(contents, Instance)
    for cls in class_info(it, contents.cls).mro:
        for name in cls.definition.methods:
            contents.attributes.setdefault(name, UNKNOWN)
    contents.attributes[OTHERS] = UNKNOWN


def entries(it: Interpreter, container: Ref, *, filled: bool | None = None) -> None:
    """What a container holds may have been changed.

    Args:
      it: the interpreter.
      container: the container.
      filled: whether something was put in, and nothing taken away; None if nobody knows, so that
        a dict that held something does so still.
    """
    contents = it.edit(container)
    if isinstance(contents, ListObject):
        contents.lose_order()
        if contents.mutable:
            contents.items, contents.element = None, UNKNOWN
    elif isinstance(contents, DictObject) and not contents.frozen:
        contents.items = {key: Unknown() for key in contents.items}
        contents.rest = UNKNOWN
        contents.filled = contents.filled if filled is None else filled
    elif isinstance(contents, SetObject) and contents.mutable:
        contents.element, contents.filled = UNKNOWN, filled or None


@verb("forget")
def given(it: Interpreter, values: Iterable[Value]) -> None:
    """A stranger was handed some values: it may have changed what they hold.

    It knows nothing of how their methods work, so that these stay what they are.
    """
    seen: set[int] = set()
    for value in values:
        _given(it, value, seen, COPIED_LEVELS)


def _given(it: Interpreter, value: Value, seen: set[int], depth: int) -> None:
    if isinstance(value, (Tuple, Union)):
        for part in parts_of(value):
            _given(it, part, seen, depth)
        return
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(value, Ref) or contents is None or value.id in seen or not depth:
        return
    seen.add(value.id)
    for part in tuple(parts_of(contents)):
        _given(it, part, seen, depth - 1)
    _lose(it, value, contents)


def _lose(it: Interpreter, ref: Ref, contents: HeapObject) -> None:
    if not isinstance(contents, Instance):
        if any(map(_is_told, parts_of(contents))):
            entries(it, ref)
    elif not is_frozen(class_info(it, contents.cls)):
        lost = {
            name: Unknown(given=_is_filled(it, held))
            for name, held in contents.attributes.items()
            if _is_told(held)
        }
        if lost:
            it.edit(ref).attributes.update(lost)


def _is_filled(it: Interpreter, value: Value) -> bool:
    """Whether a value is a dict that holds something: hardly anybody empties what is another's."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    return isinstance(contents, DictObject) and contents.filled


def _is_told(value: Value) -> bool:
    """Whether anything is known of a value that a stranger may put something else in place of."""
    if isinstance(value, Unknown):
        return bool(value.buffers)
    return not isinstance(value, _CALLABLES)


def by_library(it: Interpreter, name: str, args: Arguments) -> None:
    """A function of a library was called, of which only its name is known."""
    change = change_by(name)
    if change is None:
        return
    if change.argument is None:
        given(it, args.values())
        return
    if change.argument >= len(args.positional):
        return
    touched = args.positional[change.argument]
    if change.extent is Extent.REACH:
        given(it, (touched,))
    elif isinstance(touched, Ref) and change.extent is Extent.ENTRIES:
        entries(it, touched)
    elif isinstance(touched, Ref) and change.name is not None:
        taken_away(it, touched, args.get(change.name, "name"))


def names_like(name: Value | None, node: cst.CSTNode | None = None) -> re.Pattern[str] | None:
    """What the names look like that a value may be, None if they may be any.

    Args:
      name: the value.
      node: how it is written: of ``f"_{key}"`` the first letter is known.
    """
    if isinstance(name, Const) and isinstance(name.value, str):
        return re.compile(re.escape(name.value))
    if not isinstance(node, cst.FormattedString):
        return None
    parts = [
        re.escape(part.value) if isinstance(part, cst.FormattedStringText) else ".*"
        for part in node.parts
    ]
    return re.compile("".join(parts))

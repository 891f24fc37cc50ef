"""Programs: what tells the code that a function runs for one caller from what it runs for another.

``check(model, data)`` of one model says nothing of another, nor does ``minimise(f, solver)`` of one
solver, an optimiser that wraps one of another, a method that subclasses fill in of one subclass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jitlint.absint.limits import PROGRAM_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    Class,
    External,
    Function,
    Partial,
    Ref,
    Transformed,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import Instance, Variables

#: an object is looked into half as deep as functions that capture functions
_PER_OBJECT = 2


def program_of(it: Interpreter, function: Function, args: Arguments) -> tuple[Any, ...]:
    """What names the program of a call; empty if it is the same for all that is known.

    Args:
      it: the interpreter.
      function: what is called.
      args: what it is called with, the receiver of a method first.
    """
    return _together(_parts(it, function, args))


def _parts(it: Interpreter, function: Function, args: Arguments) -> Iterator[Any]:
    values = args.values()
    if function.code.cls is not None and values:
        # What an object holds makes no other method of its class.
        yield _class_of(it, values[0])
        values = values[1:]
    for value in values:
        yield _identity(it, value, PROGRAM_LEVELS)
    yield _captured(it, function, PROGRAM_LEVELS)


def _together(parts: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([part for part in parts if part is not None and part != ()])


def _class_of(it: Interpreter, value: Value) -> Any:
    if isinstance(value, Class):
        return id(value.definition)
    contents = it.contents(value) if isinstance(value, Ref) else None
    return id(contents.cls.definition) if isinstance(contents, Instance) else None


def _captured(it: Interpreter, function: Function, levels: int) -> tuple[Any, ...]:
    """What a nested function has captured, by the names that it uses."""
    if levels <= 0 or not function.closure or function.code.node is None:
        return ()
    frames = [it.contents(env) for env in function.closure]
    frames = [frame for frame in frames if isinstance(frame, Variables)]
    found = []
    for name in function.code.free_names if frames else ():
        value = next((frame[name] for frame in frames if name in frame), UNKNOWN)
        if value != function:
            found.append(_identity(it, value, levels - 1))
    return _together(found)


def _identity(it: Interpreter, value: Value, levels: int) -> Any:
    """What tells code, or what holds code, from other such values; None for what is neither."""
    if isinstance(value, Function):
        return (id(value.code), *_captured(it, value, levels))
    if isinstance(value, External):
        return value.name
    if isinstance(value, BoundMethod):
        return (_identity(it, value.function, levels), _class_of(it, value.receiver))
    if isinstance(value, (Partial, Transformed)):
        return _identity(it, value.function, levels)
    if isinstance(value, Tuple):
        return _together(_identity(it, item, levels) for item in value.items) or None
    own = _class_of(it, value)
    if not isinstance(value, Ref) or own is None or levels < _PER_OBJECT:
        return own
    held = it.contents(value).attributes.values()
    return (own, *_together(_identity(it, part, levels - _PER_OBJECT) for part in held))

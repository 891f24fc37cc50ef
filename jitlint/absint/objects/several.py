"""Objects of which the program chooses one: what comes of a call is told of that one class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    BoundMethod,
    Cached,
    Partial,
    Ref,
    Transformed,
    Value,
)
from jitlint.absint.values.heap import Instance


def are_of_several(it: Interpreter, callables: Sequence[Value]) -> bool:
    """Whether some of what may be called are objects, or methods of objects, of unlike classes."""
    objects = any(_object_of(called) is not None for called in callables)
    return objects and len({_class_of(it, called) for called in callables}) > 1


@contextmanager
def taken_for_one(it: Interpreter, called: Value, callables: Sequence[Value]) -> Iterator[None]:
    """Call one of several things, of which a test that nobody knows has chosen one.

    The other tests of a program may well choose with it: that the object is of this class is a
    guess, unless all are.

    Args:
      it: the interpreter.
      called: what is called.
      callables: all that may be called there.
    """
    receiver = _object_of(called)
    if receiver is None or receiver.id in it.taken or not are_of_several(it, callables):
        yield
        return
    it.taken.add(receiver.id)
    try:
        yield
    finally:
        it.taken.discard(receiver.id)


def _object_of(called: Value) -> Ref | None:
    """The object whose method is called, or that is called itself."""
    while isinstance(called, (Transformed, Cached, Partial)):
        called = called.function
    held = called.receiver if isinstance(called, BoundMethod) else called
    return held if isinstance(held, Ref) else None


def _class_of(it: Interpreter, called: Value) -> object:
    """The class of that object; what is called, if it is none of the project."""
    receiver = _object_of(called)
    contents = None if receiver is None else it.contents(receiver)
    return contents.cls if isinstance(contents, Instance) else called

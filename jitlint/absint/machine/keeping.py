"""Functions that keep their results, and run only if they have none for what they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import CacheEntered, CacheLeft
from jitlint.absint.values.domain import Value, base_function


@contextmanager
def keeping(it: Interpreter, function: Value, key: tuple[Value, ...]) -> Iterator[None]:
    """Run something that asks a function for what it keeps.

    Args:
      it: the interpreter.
      function: the function; nothing is told of one that is not of the project.
      key: what it keeps its results by.
    """
    base = base_function(function)
    if base is None:
        yield
        return
    it.signal(CacheEntered(base, key))
    it.keeping.append(base.code)
    try:
        yield
    finally:
        it.keeping.pop()
        it.signal(CacheLeft(base, key))

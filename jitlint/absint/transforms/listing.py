"""What is traced, and on what: the functions that ``jitlint traced`` shows."""

from __future__ import annotations

from collections.abc import Mapping

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.entries import Entry, merge_kinds
from jitlint.absint.machine.frames import Chain, Step
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    NONE,
    Array,
    Class,
    Const,
    External,
    Function,
    Level,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)


def record_entry(
    it: Interpreter, code: Code, transform: str, kinds: Mapping[str, str], step: Step
) -> None:
    """Note that a transform traces a function.

    Args:
      it: the interpreter.
      code: the function.
      transform: the qualified name of the transform.
      kinds: what each parameter holds, in the words of :func:`kind_of`.
      step: the use of the transform.
    """
    key = (id(code), transform, id(step.place.node))
    known = it.entries.get(key)
    if known is not None:
        kinds = merge_kinds(dict(known.parameters), kinds)
    it.entries[key] = Entry(code, transform, tuple(kinds.items()), Chain(step, it.frame.chain))


def kind_of(value: Value) -> str:
    """The word ``jitlint traced`` uses for what a parameter holds."""
    if isinstance(value, Array):
        return "traced" if value.level is not Level.CONCRETE else "static"
    if isinstance(value, Tree):
        return "container" if value.container else "traced"
    if isinstance(value, (Tuple, Ref)):
        return "container"
    if isinstance(value, (Const, Static, Function, External, Class)):
        return "static"
    if isinstance(value, Union):
        kinds = {kind_of(member) for member in value.members if member != NONE}
        return kinds.pop() if len(kinds) == 1 else "unknown"
    return "unknown"

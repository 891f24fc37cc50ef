"""Special methods of the project's classes that Python calls for operators and builtins."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.declarations import decorator_options
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import class_attribute, find_in_class
from jitlint.absint.values.domain import Class, Ref, Tuple, Value
from jitlint.absint.values.heap import Instance

#: decorators whose classes compare, hash and show themselves by their fields
_GENERATING: Final = frozenset({"dataclasses.dataclass", "flax.struct.dataclass"})
_FROZEN: Final = frozenset({"flax.struct.dataclass"})


def call_special(
    it: Interpreter, value: Value, name: str, node: cst.CSTNode, *args: Value
) -> Value | None:
    """Call a special method of an instance.

    Args:
      it: the interpreter.
      value: the object that Python asks.
      name: the special method.
      node: the operator or call that asks.
      *args: what the method is given besides the instance.

    Returns:
      What it gives; None if the value is no instance of a class of the project that defines it.

    Raises:
      Terminated: if every path through the method raises.
    """
    if defines(it, value, name):
        return it.call(it.attribute(value, name, node), Arguments(list(args)), node)
    if type(value) is not Ref or not isinstance(it.contents(value), Instance):
        return None
    method = class_attribute(it, value, name)
    return None if method is None else it.call(method, Arguments(list(args)), node)


def defines(it: Interpreter, value: Value, name: str) -> bool:
    """Whether the class of a named tuple defines a special method: its elements do not decide.

    Args:
      it: the interpreter.
      value: any value.
      name: the method.
    """
    if not isinstance(value, Tuple) or not isinstance(value.cls, Class):
        return False
    return find_in_class(it, value.cls, name) is not None


def compared_fields(it: Interpreter, value: Value) -> tuple[Value, ...] | None:
    """What the generated ``__eq__`` of a dataclass compares, None where there is no such method."""
    return _fields(it, value, "__eq__", "eq", True)


def ordered_fields(it: Interpreter, value: Value) -> tuple[Value, ...] | None:
    """What the generated ``__lt__`` of ``@dataclass(order=True)`` compares."""
    return _fields(it, value, "__lt__", "order", False)


def hashed_fields(it: Interpreter, value: Value) -> tuple[Value, ...] | None:
    """What the generated ``__hash__`` of a frozen dataclass hashes."""
    return _fields(it, value, "__hash__", "frozen", False)


def shown_fields(it: Interpreter, value: Value) -> tuple[Value, ...] | None:
    """What the generated ``__repr__`` of a dataclass shows."""
    if _fields(it, value, "__str__", "repr", True) is None:
        return None
    return _fields(it, value, "__repr__", "repr", True)


def _fields(
    it: Interpreter, value: Value, method: str, option: str, default: bool
) -> tuple[Value, ...] | None:
    """The fields of a dataclass, if its decorator makes a method that nobody else defines."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(contents, Instance):
        return None
    info = class_info(it, contents.cls)
    generating = [name for name in info.decorators if name in _GENERATING]
    if len(generating) != 1 or "" in info.decorators or not info.complete:
        return None
    if find_in_class(it, contents.cls, method) is not None:
        return None
    given = decorator_options(contents.cls.definition).get(option)
    if given is None:
        given = True if generating[0] in _FROZEN and option == "frozen" else default
    if not given:
        return None
    names = [made.name for made in info.fields]
    if any(made.declared.specifier is not None for made in info.fields):
        # `field(compare=False)` and its kin leave fields out.
        return None
    return tuple(contents.attributes[name] for name in names if name in contents.attributes)

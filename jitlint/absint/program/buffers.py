"""The arrays in a value, and which arrays in memory they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat

import libcst as cst

from jitlint.absint.limits import ARGUMENT_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArraysRead
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.buffers import new_buffer, part_of, roots_of
from jitlint.absint.values.domain import (
    Array,
    ExternalInstance,
    Ref,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.forwarding import one_of_many
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.absint.values.traversal import parts_of, rebuilt
from jitlint.jaxmodel.frameworks import STATIC_FIELDS

#: what may be an array, or a tree of arrays
Leaf = Array | Tree | Unknown
_LEAVES = (Array, Tree, Unknown)
_HOLDERS = (Tuple, Union, ExternalInstance)
#: what tells how traced an object of a library is, and what is static of some
_NO_ARRAYS = STATIC_FIELDS | {"<level>"}


def leaves_of(it: Interpreter, value: Value, depth: int = ARGUMENT_LEVELS) -> Iterator[Leaf]:
    """What may be an array in a value, some levels down."""
    if isinstance(value, _LEAVES):
        yield value
    elif depth:
        for part in held_in(it, value):
            yield from leaves_of(it, part, depth - 1)


def held_in(it: Interpreter, value: Value) -> Iterable[Value]:
    """What a container or object holds, and the alternatives of a value.

    What is static of a pytree is no array: nobody donates ``apply_fn`` of a train state.
    """
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(contents, ListObject):
        return (contents.element,) if contents.items is None else contents.items
    if isinstance(contents, DictObject):
        return parts_of(contents)
    if isinstance(contents, Instance):
        static = class_info(it, contents.cls).static
        return [part for name, part in contents.attributes.items() if name not in static]
    if isinstance(value, ExternalInstance):
        # What only tells whether it is traced is no array of it: an optimizer has none.
        return [part for name, part in value.attributes if name not in _NO_ARRAYS]
    return parts_of(value) if isinstance(value, _HOLDERS) else ()


def reads(
    it: Interpreter, operands: Sequence[tuple[Value, cst.CSTNode]], *, deep: bool = False
) -> None:
    """Tell that an operation needs the arrays in some values; in a trace it needs none.

    Args:
      it: the interpreter.
      operands: the values, and where they stand.
      deep: whether it looks into containers.
    """
    if it.trace is None:
        it.signal(ArraysRead(operands, deep))


def reads_arguments(it: Interpreter, args: Arguments, node: cst.CSTNode) -> None:
    """Tell that a call needs the arrays in its arguments."""
    if it.trace is None:
        nodes = chain(args.nodes, repeat(node))
        operands = [*zip(args.positional, nodes, strict=False)]
        operands += [
            (value, args.keyword_nodes.get(name, node)) for name, value in args.keywords.items()
        ]
        it.signal(ArraysRead(operands, deep=True))


def identified(it: Interpreter, value: Value, depth: int = ARGUMENT_LEVELS) -> Value:
    """A value whose leaves can be told from others; objects that hold some are changed."""
    if isinstance(value, _LEAVES):
        return value if value.buffers else value.replace(buffers=new_buffer())
    if not depth:
        return value
    if isinstance(value, _HOLDERS):
        return rebuilt(value, lambda part: identified(it, part, depth - 1))
    if isinstance(value, Ref):
        _change_parts(it, value, lambda part: identified(it, part, depth - 1))
    return value


def taken_out(it: Interpreter, value: Value) -> Value:
    """One of the values that an element stands for; which it is, nobody knows.

    An object that stands for many is another one from here on: what it holds are not the arrays of
    the one that was taken before.
    """
    if isinstance(value, (Tuple, Union)):
        return rebuilt(value, lambda part: taken_out(it, part))
    if isinstance(value, Ref) and it.trace is None:
        return _renewed(it, value, ARGUMENT_LEVELS)
    return one_of_many(value)


def _renewed(it: Interpreter, value: Value, depth: int) -> Value:
    """A value with arrays in other buffers, which are parts of the same whole."""
    if isinstance(value, _LEAVES):
        return value.replace(buffers=part_of(roots_of(value.buffers))) if value.buffers else value
    if isinstance(value, (Tuple, Union)):
        return rebuilt(value, lambda part: _renewed(it, part, depth))
    if depth and isinstance(value, Ref):
        _change_parts(it, value, lambda part: _renewed(it, part, depth - 1))
    return value


def _change_parts(it: Interpreter, ref: Ref, change: Callable[[Value], Value]) -> None:
    """Have an object hold something else for each thing that it holds by name."""
    contents = it.contents(ref)
    if isinstance(contents, (ListObject, DictObject, Instance)):
        for key, part in _named_parts(contents):
            made = change(part)
            if made is not part:
                _put(it.edit(ref), key, made)


def _named_parts(contents: ListObject | DictObject | Instance) -> list[tuple[object, Value]]:
    """What an object holds of which each is one thing, by name."""
    if isinstance(contents, ListObject):
        return [*enumerate(contents.items or ())]
    held = contents.items if isinstance(contents, DictObject) else contents.attributes
    return [*held.items()]


def _put(contents: ListObject | DictObject | Instance, key: object, value: Value) -> None:
    if isinstance(contents, ListObject):
        contents.items = tuple(
            [value if index == key else part for index, part in enumerate(contents.items or ())]
        )
    elif isinstance(contents, DictObject):
        contents.items[key] = value
    else:
        assert isinstance(key, str)
        contents.attributes[key] = value

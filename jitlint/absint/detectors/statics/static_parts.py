"""What is static in arguments that are traced: the fields of pytrees that are none of their leaves.

JAX finds a program again by the structure of its arguments, which holds them: a function in one of
them that is new each time needs a new program.  Observed under JAX 0.10.2, Flax 0.12.8 and Equinox
0.13.8 for ``pytree_node=False``, ``eqx.field(static=True)``, ``meta_fields``, ``TrainState.tx``,
``nnx.Optimizer`` under ``nnx.jit`` and the function of a ``Partial``: as many programs as objects.
Equinox takes any function for static, and any Python number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from jitlint.absint.limits import ARGUMENT_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.buffers import held_in
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Transformed,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.absint.values.statics import is_int_or_float
from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.transforms import CHECKS_HASHES, STRUCTURAL

#: takes the objects of NNX apart: of them it compares what is none of their variables
_NNX: Final = "flax.nnx.jit"
#: what finds its programs by the structure of its arguments
COMPARING: Final = CHECKS_HASHES - {_NNX} | STRUCTURAL
#: the same, and what does so with optimizers
COMPARING_PARTS: Final = COMPARING | {_NNX}


class Part(NamedTuple):
    """What is static.

    Args:
      value: that.
      field: the name of the field that holds it, empty for what is passed itself.
    """

    value: Value
    field: str = ""


def static_parts(
    it: Interpreter, value: Value, transform: str, depth: int = ARGUMENT_LEVELS
) -> Iterator[Part]:
    """What is static in an argument that is traced.

    Args:
      it: the interpreter.
      value: the argument.
      transform: what traces it.
      depth: how many levels to look into.
    """
    if transform == _NNX and not isinstance(value, (ExternalInstance, Tuple)):
        return
    if isinstance(value, Partial):
        if value.pytree:
            yield Part(value.function, "func")
    elif isinstance(value, ExternalInstance):
        fact = frameworks.base_class(value.cls)
        static = frozenset() if fact is None or not fact.pytree else frozenset(fact.static_fields)
        yield from (Part(held, name) for name, held in value.attributes if name in static)
    elif not depth:
        return
    elif isinstance(value, Tuple):
        for item in held_in(it, value):
            yield from static_parts(it, item, transform, depth - 1)
    elif isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, Instance):
            yield from _of_object(it, contents, transform, depth)
        elif isinstance(contents, (ListObject, DictObject)):
            for item in held_in(it, value):
                yield from static_parts(it, item, transform, depth - 1)


def _of_object(it: Interpreter, contents: Instance, transform: str, depth: int) -> Iterator[Part]:
    info = class_info(it, contents.cls)
    if info.pytree != "leaves" or not info.complete or "" in info.decorators:
        return
    for name, held in contents.attributes.items():
        filtered = isinstance(held, (Function, Transformed)) or is_int_or_float(held)
        if name in info.static or (filtered and transform in STRUCTURAL):
            yield Part(held, name)
        else:
            yield from static_parts(it, held, transform, depth - 1)

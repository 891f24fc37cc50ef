"""Calls of functions and classes of other libraries, by their qualified names.

Whoever knows the name first says what the call does: a method that JAX gives to transformed
functions, a model, a transform, a row of the tables of functions or of frameworks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import libcst as cst

from jitlint.absint.library.facts import apply_fact, may_be_traced
from jitlint.absint.library.framework_objects import construct
from jitlint.absint.library.host_objects import host_object
from jitlint.absint.library.inspection import attribute
from jitlint.absint.library.numpy_arrays import numpy_result
from jitlint.absint.library.registry import MODELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import HostCalled
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.python.operations import array_result
from jitlint.absint.values.domain import (
    NDARRAY,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    External,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
    members_of,
)
from jitlint.absint.values.lattice import join_all
from jitlint.jaxmodel import functions
from jitlint.jaxmodel.effects import host_call

Source = Callable[[Interpreter, str, Arguments, cst.CSTNode], Value | None]


@calls_of(External)
def _call(it: Interpreter, function: External, args: Arguments, node: cst.CSTNode) -> Value:
    name = function.name
    if name.startswith("jitlint.transformed."):
        receiver, rest = args.positional[0], args.dropped(1)
        return it.transformed_method(name.rpartition(".")[2], receiver, rest, node)
    effect = host_call(name)
    if effect is not None:
        it.signal(HostCalled(effect.kind, args, node, effect.mode))
    for source in _SOURCES:
        result = source(it, name, args, node)
        if result is not None:
            return result
    return UNKNOWN


def _model(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    known = MODELS.get(name)
    return None if known is None else known(it, args, node)


_BUILTIN_TYPES: Final = frozenset(
    f"builtins.{name}" for name in ("list", "dict", "set", "frozenset", "tuple", "str")
) | {"collections.deque", "collections.OrderedDict"}


def _unbound_method(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    """``list.append(values, x)``."""
    owner, _, method = name.rpartition(".")
    if owner not in _BUILTIN_TYPES or not args.positional:
        return None
    kinds = (Array, Const, Static, Tree, Tuple, Ref)
    receivers = [m for m in members_of(args.positional[0]) if isinstance(m, kinds)]
    return join_all(
        it.call(attribute(it, receiver, method, node), args.dropped(1), node)
        for receiver in receivers
    )


def _transform(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    row = it.row(name)
    return None if row is None else it.transform(row, args, node)


def _fact(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    fact = functions.lookup(name)
    return None if fact is None else numpy_result(name, args, apply_fact(it, fact, args, node))


def _unknown(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    """What no table has, of libraries whose functions are alike."""
    if name.startswith(("numpy.", "scipy.")):
        if any(may_be_traced(it, value) for value in args.values()):
            return UNKNOWN
        return NDARRAY if name.startswith("numpy.") else STATIC
    if name.startswith("jax.numpy.") and functions.constant(name) == "dtype":
        return array_result(it, args.values(), node=node)
    return None


_SOURCES: Final[tuple[Source, ...]] = (
    host_object, _model, _unbound_method, _transform, _fact, construct, _unknown,
)  # fmt: skip

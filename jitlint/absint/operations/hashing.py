"""Hashing: what dicts, sets and caches ask of the values they are given."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.events import Hash
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import comparable_tracer, find_traced, first_tracer, sure_array
from jitlint.absint.program.special_methods import call_special, hashed_fields
from jitlint.absint.values.domain import Array, Const, Ref, Static, Tree, Tuple, Value
from jitlint.absint.values.heap import DictObject, SetObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel.concretization import HASH_ERRORS


def hashed_tracer(it: Interpreter, value: Value) -> Array | Tree | None:
    """A tracer that hashing a value would ask for its hash, None if there is none for sure."""
    traced = comparable_tracer(value)
    if traced is None and isinstance(value, Tuple):
        held = find_traced(it, value, 2)
        return held if isinstance(held, Array) else None
    if traced is None and isinstance(value, Ref):
        return first_tracer(map(sure_array, hashed_fields(it, value) or ()))
    return traced


def emit_hash(
    it: Interpreter,
    node: cst.CSTNode,
    traced: Array | Tree,
    operand: cst.CSTNode | None,
    construct: str,
) -> None:
    """Report that Python asks a traced value for its hash."""
    it.emit(Hash, node, traced, operand=operand, exceptions=HASH_ERRORS, construct=construct)


def check_hashable(it: Interpreter, value: Value, node: cst.CSTNode, construct: str) -> bool:
    """Hash what stands at a node; True where a traced value is reported."""
    traced = hashed_tracer(it, value)
    if traced is not None:
        emit_hash(it, node, traced, node, construct)
    else:
        call_special(it, value, "__hash__", node)
    return traced is not None


def hashes_element(
    it: Interpreter,
    element: Value,
    items: Sequence[Value] | None,
    node: cst.CSTNode,
    operand: cst.CSTNode,
) -> bool:
    """Report a traced value among what an iterable puts into a set; True if reported.

    Where only one value stands for all, it may be the keys of a dict as well as an array's rows.
    """
    if items is None:
        traced: Array | Tree | None = sure_array(element)
    else:
        traced = first_tracer(hashed_tracer(it, item) for item in items)
    if traced is not None:
        emit_hash(it, node, traced, operand, "set element")
    return traced is not None


def has_text_keys(contents: DictObject | SetObject) -> bool:
    """Whether the keys of a dict or members of a set may be texts."""
    if isinstance(contents, SetObject):
        element = contents.element
        return not isinstance(element, (Const, Static)) or type_name(element) in (None, "str")
    return not contents.items or any(isinstance(key, str) for key in contents.items)

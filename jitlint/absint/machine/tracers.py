"""Which tracers a value is or holds, as far as the heap tells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import libcst as cst

from jitlint.absint.limits import TRACER_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ConstantStaged
from jitlint.absint.values.buffers import NO_BUFFERS, Buffers, new_buffer
from jitlint.absint.values.domain import (
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Certainty,
    Level,
    Origin,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.extents import Extent
from jitlint.absint.values.heap import EAGER
from jitlint.absint.values.statics import is_number
from jitlint.absint.values.traversal import fold

#: values that have others in them, or stand for several
_HOLDERS = frozenset({Tuple, Union, Ref})


def find_traced(
    it: Interpreter, value: Value, depth: int = TRACER_LEVELS, least: Level = Level.ABSTRACT
) -> Array | Tree | None:
    """A tracer in a value or, some levels down, in a container; None if there is none for sure.

    ``least`` is the level from which an array counts: VALUE for what a gradient's tracer refuses
    too (``float``, NumPy).
    """
    if type(value) not in _HOLDERS:
        return _bare_tracer(value, least)

    def leaf(value: Value, depth: int) -> Array | Tree | None:
        if depth and type(value) is Union:
            members = [_bare_tracer(each, least) for each in value.members if each != NONE]
            return None if None in members else _surest(members)
        return _bare_tracer(value, least)

    return fold(value, it.contents, leaf, _surest, depth)


def _bare_tracer(value: Value, least: Level) -> Array | Tree | None:
    kind = type(value)
    if (kind is Array or kind is Tree) and value.level >= least:  # type: ignore[attr-defined]
        return value  # type: ignore[return-value]
    return None


def _surest(found: Iterable[Array | Tree | None]) -> Array | Tree | None:
    best: Array | Tree | None = None
    for tracer in found:
        if tracer is not None and (best is None or tracer.certainty > best.certainty):
            best = tracer
    return best


def level_of(it: Interpreter, value: Value, depth: int = TRACER_LEVELS) -> Level | None:
    """The highest level of an array in a value, None if it holds no array for sure."""

    def leaf(value: Value, depth: int) -> Level | None:
        if isinstance(value, (Array, Tree)):
            return value.level
        if depth and isinstance(value, Union):
            return _highest([level_of(it, member, depth - 1) for member in value.members])
        return None

    return fold(value, it.contents, leaf, _highest, depth)


def _highest(found: Iterable[Level | None]) -> Level | None:
    return max((level for level in found if level is not None), default=None)


def first_tracer(candidates: Iterable[Array | Tree | None]) -> Array | Tree | None:
    """The first tracer of some values, each asked for its own; None if none has one."""
    return next((tracer for tracer in candidates if tracer is not None), None)


def sure_array(value: Value, least: Level = Level.ABSTRACT) -> Array | None:
    """The abstract array among the alternatives of a value, None if another may be anything."""
    if isinstance(value, Array):
        return value if value.level >= least else None
    found: Array | None = None
    replaced = False
    for member in members_of(value):
        if isinstance(member, Array) and member.level >= least:
            found = member
        elif is_number(member):
            replaced = True
        elif member != NONE:
            # What else it may be can depend on the very input that would make it traced.
            return None
    if replaced and found is not None and found.certainty is not Certainty.DEFAULTED:
        # `1.0 if s is None else s` is traced where a caller passes `s`, as the report says.
        return None
    return found


def comparable_tracer(value: Value) -> Array | Tree | None:
    """A tracer that a comparison of this value with a number asks; a bare tree counts as one."""
    return sure_array(value) or sure_tree(value)


def sure_tree(value: Value) -> Tree | None:
    """An abstract tree that may be a single array, if it is more than guessed to be traced."""
    if isinstance(value, Tree) and value.level is Level.ABSTRACT and not value.container:
        return value if value.certainty is not Certainty.GUESS else None
    return None


def array_result(
    it: Interpreter,
    operands: Iterable[Value],
    *,
    dtype: str | None = None,
    rank: int | None = None,
    node: cst.CSTNode | None = None,
    operator: bool = False,
    like: Iterable[Value] = (),
    extent: Extent | None = None,
) -> Array:
    """The array that a JAX operation makes of its operands.

    Inside jit every result is a tracer, whatever the operands are.  ``operator`` tells a Python
    operator, which works on other things than arrays too, from a function of JAX.  ``like`` are
    the operands whose shape and type the result has, ``extent`` its size where that is known.
    """
    level = Level.CONCRETE
    trace = 0
    source: Array | Tree | None = None
    # The rows of a key are keys.
    seeds: dict[int | None, Any] | None = {} if dtype == "key" else None
    for operand in operands:
        if type(operand) is Array and operand.trace > trace:
            trace = operand.trace
        found = level_of(it, operand)
        if found is not None and found > level:
            level = found
        traced = find_traced(it, operand)
        if traced is not None and (source is None or traced.certainty > source.certainty):
            source = traced
        if seeds is not None and (traced is not None or operand == UNKNOWN):
            seed = getattr(traced, "seed", None)
            seeds[None if seed is None else id(seed.place.node)] = seed
    origin: Origin | None = None if source is None else source.origin
    certainty = Certainty.SURE if source is None else source.certainty
    if it.frame.context.staging:
        it.operations += 1
        if node is not None:
            _tell_constants(it, operands, node)
        if level is not Level.ABSTRACT and node is not None:
            origin = it.origin(node, STAGED)
        level = Level.ABSTRACT
        trace = it.staging_trace(trace)
        if source is None or (certainty is not Certainty.SURE and not operator):
            # Whatever is passed.
            certainty = Certainty.GUESS if EAGER in it.state.assumed else Certainty.SURE
    elif level is Level.VALUE and dtype in ("bool", "int"):
        # Comparisons and integer results are not differentiated: their value is there.
        level = Level.CONCRETE
    return Array(
        level,
        certainty=certainty,
        dtype=dtype,
        rank=rank,
        origin=origin,
        trace=trace,
        seed=seeds.popitem()[1] if seeds is not None and len(seeds) == 1 else None,
        buffers=new_buffer() if level is Level.CONCRETE else _fitting(like),
        extent=extent,
    )


def _tell_constants(it: Interpreter, operands: Iterable[Value], node: cst.CSTNode) -> None:
    """Tell of the arrays among some operands that become constants of a program."""
    for operand in operands:
        if not isinstance(operand, (Array, Static)) or operand.extent is None:
            continue
        if isinstance(operand, Static):
            constant = operand.type == "ndarray"
        else:
            constant = operand.level is Level.CONCRETE
        if constant:
            it.signal(ConstantStaged(operand, node))


def _fitting(operands: Iterable[Value]) -> Buffers:
    """Where something of the shape and type of some operands could be written."""
    buffers = NO_BUFFERS
    for operand in operands:
        if isinstance(operand, (Array, Tree)) and operand.level is not Level.CONCRETE:
            buffers |= operand.buffers
    return buffers

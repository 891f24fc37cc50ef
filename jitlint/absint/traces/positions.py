"""Which arguments a transform traces, as ``argnums``, ``in_axes`` and ``in_specs`` say."""

from __future__ import annotations

from collections.abc import Callable, Collection

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.packages.pytrees import PARTITION
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Const,
    ExternalInstance,
    Ref,
    Transformed,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject
from jitlint.absint.values.statics import constant
from jitlint.jaxmodel.transforms import Transform


def traced_positions(function: Transformed, row: Transform) -> Callable[[int], bool]:
    """Which positional arguments the transform traces."""
    if row.traces == "none":
        return lambda index: False
    if row.kind == "module_wrap":
        return lambda index: index > 0
    if row.traces == "first":
        return lambda index: index == 0
    if function.option("excluded") is not None and function.transform == "jax.numpy.vectorize":
        left_out = excluded(function)
        return lambda index: left_out is not None and index not in left_out
    if row.traces == "argnums":
        option = function.option("argnums")
        numbers = 0 if option is None else constant(option)
        if isinstance(numbers, int):
            return lambda index: index == numbers
        if isinstance(numbers, tuple):
            return lambda index: index in numbers
        return lambda index: False
    if row.traces == "in_axes":
        option = function.option("in_axes")
        axes = 0 if option is None else _axes(option)
        if isinstance(axes, tuple):
            given = axes
            return lambda index: index < len(given) and given[index] is not None
        return lambda index: axes is not None and axes is not ...
    if row.traces == "in_specs":
        return lambda index: _spec(function, index) != NONE
    return lambda index: True


def excluded(function: Transformed) -> Collection[object] | None:
    """Positions and names that ``jax.numpy.vectorize`` hands on as they are, None if not known."""
    given = constant(function.option("excluded"))
    return given if isinstance(given, tuple) else None


def _axes(option: Value) -> object:
    """``in_axes`` argument by argument; a container of axes counts as not known."""
    if isinstance(option, Tuple):
        return tuple(
            0 if isinstance(item, Const) and isinstance(item.value, int) else None
            for item in option.items
        )
    return constant(option)


# -- specifications of shards ----------------------------------------------------------------------


def _spec(function: Transformed, index: int) -> Value:
    """How an argument of ``shard_map`` is split over the devices."""
    specs = function.option("in_specs")
    if isinstance(specs, Tuple):
        return specs.items[index] if index < len(specs.items) else UNKNOWN
    return UNKNOWN if specs is None else specs


def keeps_value(function: Transformed, index: int) -> bool:
    """Whether every device gets the whole argument, and JAX knows that it is the same for all."""
    spec = _spec(function, index)
    if not isinstance(spec, ExternalInstance) or spec.cls != PARTITION:
        return False
    checked = (function.option("check_vma"), function.option("check_rep"))
    axes = dict(spec.attributes).get("axes")
    return (
        isinstance(axes, Tuple)
        and all(axis == NONE for axis in axes.items)
        and Const(False) not in checked
    )


# -- axes leaf by leaf -----------------------------------------------------------------------------


def axes_of_leaves(
    it: Interpreter, function: Transformed, row: Transform, index: int
) -> Value | None:
    """The axes of one argument where they are given leaf by leaf, None if one holds for all."""
    option = function.option("in_axes") if row.traces == "in_axes" else None
    if not isinstance(option, Tuple) or index >= len(option.items):
        return None
    axes = option.items[index]
    if isinstance(axes, Tuple):
        return axes
    contents = it.contents(axes) if isinstance(axes, Ref) else None
    return axes if isinstance(contents, DictObject) and contents.rest is None else None


def mapped(
    it: Interpreter, value: Value, axes: Value, trace_leaf: Callable[[Value], Value]
) -> Value:
    """An argument whose leaves are mapped where their axis is a number, and untouched elsewhere."""
    if axes == NONE:
        return value
    if isinstance(axes, Tuple):
        items = value.items if isinstance(value, Tuple) else (UNKNOWN,) * len(axes.items)
        if len(items) != len(axes.items) or not (isinstance(value, Tuple) or value == UNKNOWN):
            return UNKNOWN
        pairs = zip(items, axes.items, strict=True)
        return Tuple(tuple(mapped(it, item, axis, trace_leaf) for item, axis in pairs))
    contents = it.contents(axes) if isinstance(axes, Ref) else None
    if isinstance(contents, DictObject):
        mine = it.contents(value) if isinstance(value, Ref) else None
        if not (isinstance(mine, DictObject) or value == UNKNOWN):
            return UNKNOWN
        held = mine.items if isinstance(mine, DictObject) else {}
        made = {
            key: mapped(it, held.get(key, UNKNOWN), axis, trace_leaf)
            for key, axis in contents.items.items()
        }
        id_ = it.new_id("mapped", id(axes), it.frame.env)
        it.keep(axes)
        it.state.put(id_, DictObject(made, None))
        return Ref(id_)
    return trace_leaf(value) if isinstance(axes, Const) else UNKNOWN

"""Arrays in static fields: of a pytree that holds one, JAX refuses the second instance.

What is static of a pytree is compared with that of the one before, to find what was compiled for
it, and arrays give no truth there.  Observed under JAX 0.10.2 and Equinox 0.13.8, for fields of
dataclasses, ``flax.struct`` and ``equinox.Module``: ValueError at a call with another array of more
than one element, whatever it holds; none where it is the very same array, nor where the leaves have
other shapes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

from jitlint.absint.detectors.compilation.traced_arguments import called_name, given_by
from jitlint.absint.detectors.statics.static_parts import COMPARING
from jitlint.absint.events import StaticFieldArray
from jitlint.absint.limits import ARGUMENT_LEVELS, STATIC_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, in_state, observes
from jitlint.absint.program.buffers import held_in, leaves_of
from jitlint.absint.program.classes import ClassInfo, class_info
from jitlint.absint.values.domain import (
    Array,
    Const,
    EnumMember,
    Level,
    MadeArray,
    Ref,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance, Slot

_ERROR = ("ValueError",)
#: a function, its parameter and where in the argument an object stands
_Key = tuple[object, ...]


class _Held(NamedTuple):
    """An array in a static field.

    Args:
      field: the name of the field.
      cls: the name of the class.
      array: the array.
      leaves: what is known of the arrays that are leaves of the object.
      before: what its static fields hold that are compared before this one.
    """

    field: str
    cls: str
    array: Value
    leaves: tuple[object, ...]
    before: tuple[Value, ...]


@in_state
class HeldArrays(Slot):
    """The arrays in static fields that functions were called with."""

    __slots__ = ("calls",)
    of_run = True

    def __init__(self, calls: dict[_Key, _Held] | None = None) -> None:
        self.calls: dict[_Key, _Held] = {} if calls is None else calls

    def copy(self) -> HeldArrays:
        """A private copy."""
        return HeldArrays(dict(self.calls))

    def join(self, other: HeldArrays) -> HeldArrays:
        """What either path has called."""
        return HeldArrays({**other.calls, **self.calls})

    def by_subject(self) -> Mapping[Hashable, object]:
        """The calls."""
        return dict(self.calls.items())

    def __eq__(self, other: object) -> bool:
        """Whether the same functions were called: each turn of a loop has other arrays."""
        return isinstance(other, HeldArrays) and self.calls.keys() == other.calls.keys()

    __hash__ = None


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    function = passed.function
    if passed.static or it.trace is None or it.trace.outer is not None or not it.running:
        return
    if function.transform not in COMPARING or not isinstance(passed.value, Ref):
        return
    base = base_function(function)
    if base is None or it.is_fresh(base) or it.frame.context.disabled:
        return
    for path, held in _static_arrays(it, passed.value, ()):
        key = (id(function.place.node), id(base.code), passed.parameter, *path)
        known = it.slot(HeldArrays).calls.get(key)
        if known is None:
            it.edit_slot(HeldArrays).calls[key] = held
            # Another call of what makes this one is given other arrays.
            it.reached_out += 1
        elif _is_another(known, held):
            it.note(
                StaticFieldArray,
                passed.node,
                origin=given_by(passed),
                exceptions=_ERROR,
                callee=called_name(function),
                cls=held.cls,
                field=held.field,
            )
            return


def _static_arrays(
    it: Interpreter, value: Value, path: tuple[object, ...], depth: int = ARGUMENT_LEVELS
) -> Iterator[tuple[tuple[object, ...], _Held]]:
    """The arrays in static fields of an object, and of those that are its leaves."""
    if not depth:
        return
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(contents, Instance):
        for index, part in enumerate(held_in(it, value)):
            yield from _static_arrays(it, part, (*path, index), depth - 1)
        return
    info = class_info(it, contents.cls)
    if info.pytree != "leaves" or not info.complete or "" in info.decorators:
        return
    before: list[Value] = []
    for made in info.fields:
        held = contents.attributes.get(made.name)
        if made.name not in info.static:
            if held is not None:
                yield from _static_arrays(it, held, (*path, made.name), depth - 1)
            continue
        if held is None:
            return
        array = _array_in(it, held, STATIC_LEVELS)
        if array is not None:
            leaves = _leaves(it, info, contents)
            name = contents.cls.definition.name
            yield (*path, made.name), _Held(made.name, name, array, leaves, tuple(before))
            return
        before.append(held)


def _array_in(it: Interpreter, value: Value, depth: int) -> Value | None:
    """An array of more than one element that a value surely is or holds, None if there is none."""
    if isinstance(value, MadeArray):
        extent = value.extent
        large = value.dimensions if extent is None else extent.size > 1
        return value if large else None
    if isinstance(value, Array):
        large = bool(value.rank) if value.extent is None else value.extent.size > 1
        return value if large and value.level is Level.CONCRETE and value.buffers else None
    parts = held_in(it, value) if depth and _is_compared(it, value) else ()
    return next(filter(None, (_array_in(it, part, depth - 1) for part in parts)), None)


def _is_compared(it: Interpreter, value: Value) -> bool:
    """Whether what a value holds is compared with it: of objects only those of plain dataclasses.

    Others are told apart by identity, or by what their class says.
    """
    contents = it.contents(value) if isinstance(value, Ref) else None
    if not isinstance(contents, Instance):
        return True
    info = class_info(it, contents.cls)
    compares = any("__eq__" in cls.definition.methods for cls in info.mro)
    return info.kind == "dataclass" and not info.externals and not compares


def _leaves(it: Interpreter, info: ClassInfo, contents: Instance) -> tuple[object, ...]:
    """What is known of the type of each leaf."""
    held = [value for name, value in contents.attributes.items() if name not in info.static]
    leaves = [leaf for value in held for leaf in leaves_of(it, value)]
    return tuple(
        (leaf.dtype, leaf.rank, leaf.extent and leaf.extent.shape)
        if isinstance(leaf, Array)
        else (None, None, None)
        for leaf in leaves
    )


def _is_another(known: _Held, held: _Held) -> bool:
    """Whether two calls are given different arrays, and nothing tells them apart before."""
    if known.cls != held.cls or known.field != held.field or known.array is held.array:
        return False
    one, other = known.array, held.array
    if isinstance(one, Array) and isinstance(other, Array) and one.buffers & other.buffers:
        return False
    if len(known.leaves) != len(held.leaves):
        return False
    if any(not _may_be_alike(*pair) for pair in zip(known.leaves, held.leaves, strict=True)):
        return False
    return all(map(_are_equal, known.before, held.before))


def _may_be_alike(one: object, other: object) -> bool:
    assert isinstance(one, tuple) and isinstance(other, tuple)
    return all(None in pair or pair[0] == pair[1] for pair in zip(one, other, strict=True))


def _are_equal(one: Value, other: Value) -> bool:
    return one is other or (isinstance(one, (Const, EnumMember)) and one == other)

"""Arrays that a call has taken the memory of, and who reads them afterwards.

Which array a value is, its buffers tell: it is the same under every name, in every container and in
whatever function it is handed to.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.surroundings.kept_turns import is_kept_by_some_turn
from jitlint.absint.events import DonatedBufferReuse
from jitlint.absint.limits import ARGUMENT_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArraysRead, BuffersDonated, in_state, observes
from jitlint.absint.program.buffers import held_in, leaves_of
from jitlint.absint.values.buffers import Buffers, single
from jitlint.absint.values.domain import NONE, Array, Origin, Tree, Union, Unknown, Value
from jitlint.absint.values.heap import Slot

#: what a deleted array raises; the second where a compiled function is given it
_ERRORS = ("RuntimeError", "ValueError", "jax.errors.JaxRuntimeError")


@in_state
class Donated(Slot):
    """The buffers of arrays that were donated, each with the call that took them."""

    __slots__ = ("calls",)
    of_turns = True

    def __init__(self, calls: dict[Buffers, Place] | None = None) -> None:
        self.calls: dict[Buffers, Place] = {} if calls is None else calls

    def copy(self) -> Donated:
        """A private copy."""
        return Donated(dict(self.calls))

    def join(self, other: Donated) -> Donated:
        """What may have been donated on either way."""
        return Donated({**self.calls, **other.calls})

    def by_subject(self) -> Mapping[Hashable, object]:
        """The calls by what they took."""
        return dict(self.calls.items())

    def __eq__(self, other: object) -> bool:
        """Whether the same calls have donated something: each turn of a loop has other arrays."""
        return isinstance(other, Donated) and self._nodes() == other._nodes()

    __hash__ = None

    def _nodes(self) -> set[int]:
        return {id(place.node) for place in self.calls.values()}

    def of(self, buffers: Buffers) -> Place | None:
        """The call that took an array for sure, whichever of some buffers it was in."""
        found = self.calls.get(buffers)
        for buffer in buffers if found is None else ():
            found = self.calls.get(single(buffer)) or self.of(buffer.whole)
            if found is None:
                return None
        return found


@observes(BuffersDonated)
def _donated(it: Interpreter, donated: BuffersDonated) -> None:
    calls = it.edit_slot(Donated).calls
    for buffers in donated.buffers:
        calls[buffers] = it.place(donated.node)
    # A call that gives something away is not remembered: another is given other arrays.
    it.reached_out += 1


@observes(ArraysRead)
def _read(it: Interpreter, read: ArraysRead) -> None:
    donated = it.slot(Donated)
    if not donated.calls:
        return
    for value, node in read.operands:
        if not read.deep and not isinstance(value, (Array, Tree, Unknown, Union)):
            continue
        taken = _taken(it, donated, value) or _taken_from_turn(it, donated, value, node)
        if taken is not None:
            _report(it, node, taken)
            return


def _taken(
    it: Interpreter, donated: Donated, value: Value, depth: int = ARGUMENT_LEVELS
) -> Buffers | None:
    """The buffers of an array in a value that was donated, whichever it is of some values."""
    if isinstance(value, Union):
        ways = [_taken(it, donated, member, depth) for member in value.members if member != NONE]
        return None if None in ways else ways[0]
    if isinstance(value, (Array, Tree, Unknown)):
        return value.buffers if donated.of(value.buffers) is not None else None
    if not depth:
        return None
    found = (_taken(it, donated, part, depth - 1) for part in held_in(it, value))
    return next((buffers for buffers in found if buffers is not None), None)


def _taken_from_turn(
    it: Interpreter, donated: Donated, value: Value, node: cst.CSTNode
) -> Buffers | None:
    """The buffers of an array that one turn of a loop has kept, if the next one has donated it."""
    for leaf in leaves_of(it, value, ARGUMENT_LEVELS):
        for buffer in leaf.buffers:
            call = donated.of(single(buffer))
            if call is not None and is_kept_by_some_turn(it.frame, node, call):
                return single(buffer)
    return None


def _report(it: Interpreter, node: cst.CSTNode, buffers: Buffers) -> None:
    donated = it.edit_slot(Donated)
    call = donated.of(buffers)
    assert call is not None
    callee = call.node.func if isinstance(call.node, cst.Call) else call.node
    name = Place(call.parsed, callee).text()
    it.note(
        DonatedBufferReuse,
        node,
        operand=node,
        origin=Origin(call, f"`{name}` is given the array and takes its memory"),
        exceptions=_ERRORS,
        callee=name,
    )
    # What reads it next is not reached.
    for read in [buffers, *map(single, buffers)]:
        donated.calls.pop(read, None)

"""Durations that stand for how long something runs, but cover its compilation.

The slot follows which programs there may be already, and which measurements hold the first call of
one.  Where such a duration is divided, compared with another one, or kept in every turn of a loop,
it is meant for the time that a run takes.

Only what the path shows from its beginning counts: a function that is jitted on the way, or any in
the code of a module that runs as a script.  What nobody looks into may have called anything.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Final

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.measurement import pending_work as pending
from jitlint.absint.detectors.measurement.bystanders import is_bystander
from jitlint.absint.detectors.measurement.jobs import is_job, is_turn_of_job
from jitlint.absint.detectors.measurement.measured_code import (
    begins,
    is_conditional,
    is_told,
    leaves_first_out,
)
from jitlint.absint.detectors.measurement.pending_work import Clocks, Path
from jitlint.absint.detectors.measurement.programs import (
    identity,
    may_be_plain,
    may_call,
    sizes_of,
    static_arguments,
)
from jitlint.absint.detectors.measurement.rebound_names import calls_ahead
from jitlint.absint.detectors.surroundings.written import root_name
from jitlint.absint.events import CompilingTiming, event_key
from jitlint.absint.machine.clock_signals import (
    ClockRead,
    DurationCompared,
    LibraryCalled,
    NotFollowed,
    ProgramNeeded,
    TimerStarted,
    TimerStopped,
)
from jitlint.absint.machine.frames import Frame, Moment
from jitlint.absint.machine.signals import (
    ContentsChanged,
    TransformApplied,
    UnknownCalled,
    in_state,
    observes,
)
from jitlint.absint.modules.reach import leads_to
from jitlint.absint.values.domain import (
    Const,
    Duration,
    Origin,
    Ref,
    Transformed,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import DictObject, Slot
from jitlint.jaxmodel import asynchrony

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: a call that compiles: its node, and the frame whose code it is
Call = tuple[int, int]
Calls = frozenset[Call]
#: a place that jits something, and the frame that a path begins with
Made = tuple[int, int]
#: the frame that reads a clock, and the one that has called it
Reader = tuple[int, int | None]
#: a jitted function, its static arguments, and the sizes of the others: None for what is not known
Program = tuple[Any, Any, Any]

_NONE: Final[Calls] = frozenset()
#: measurements that are followed at once: the newest ones
_FOLLOWED: Final = 12
#: what keeps something in a container
_KEEPING: Final = frozenset({".append()", "item assignment"})
#: numbers by which seconds are divided to give other units, and by which whole nanoseconds are
_UNITS: Final = frozenset({24, 60, 3600, 86400, 1e-3, 1e-6, 1e-9, 1 / 60, 1 / 3600})
_UNITS_OF_WHOLE: Final = frozenset({1000, 10**6, 10**9, 6 * 10**10})


@in_state
class Programs(Slot):
    """What may have been compiled at a point of the program.

    Args:
      made: the places that have jitted something since the path began.
      known: the programs that there may be.
      lost: the places that had jitted something when anything was called that is not known.
      unsure: the modules that a path began in on which something like that was called.
      open: by the number of a reading, who reads, and what has been compiled since.
      ended: for pairs of readings, what was compiled in between.
    """

    __slots__ = ("ended", "known", "lost", "made", "open", "unsure")

    def __init__(
        self,
        made: frozenset[Made] = frozenset(),
        known: frozenset[Program] = frozenset(),
        open_: Mapping[int, tuple[Reader, Calls]] | None = None,
        ended: Mapping[tuple[int, int], Calls] | None = None,
        *,
        lost: frozenset[Made] = frozenset(),
        unsure: frozenset[FilePath] = frozenset(),
    ) -> None:
        self.made = made
        self.lost = lost
        self.known = known
        self.unsure = unsure
        self.open: Mapping[int, tuple[Reader, Calls]] = open_ or {}
        self.ended: Mapping[tuple[int, int], Calls] = ended or {}

    def join(self, other: Programs) -> Programs:
        """What may have been compiled on either of two paths."""
        open_ = dict(self.open)
        for number, (reader, calls) in other.open.items():
            open_[number] = reader, calls | open_.get(number, (reader, _NONE))[1]
        ended = dict(self.ended)
        for pair, calls in other.ended.items():
            ended[pair] = ended.get(pair, _NONE) | calls
        return Programs(
            self.made | other.made,
            self.known | other.known,
            open_,
            ended,
            lost=self.lost | other.lost,
            unsure=self.unsure | other.unsure,
        )

    def _key(self) -> tuple[Any, ...]:
        return self.made, self.known, self.lost, self.unsure, self.open, self.ended

    def by_subject(self) -> Mapping[Hashable, object]:
        """What has been compiled, and what was lost sight of; each module measures for itself."""
        sets = {"made": self.made, "known": self.known, "lost": self.lost, "unsure": self.unsure}
        return {(name, each): True for name, members in sets.items() for each in members}

    def begun(self, own: Programs | None) -> Programs:
        """Each module measures for itself: which one runs first says nothing of a program."""
        return self._measuring({}, {}) if own is None else self._measuring(own.open, own.ended)

    def resumed(self, known: Programs) -> Programs:
        """What is measured goes on."""
        return known._measuring({**self.open, **known.open}, {**self.ended, **known.ended})

    def _measuring(
        self, open_: Mapping[int, tuple[Reader, Calls]], ended: Mapping[tuple[int, int], Calls]
    ) -> Programs:
        copied = self.copy()
        copied.open, copied.ended = open_, ended
        return copied

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Programs) and self._key() == other._key()

    __hash__ = None


class _Notes(Struct, eq=False):
    """What is noted of a run: none of it depends on the path.

    Args:
      calls: calls that compile: where they are, and from where that was called.
      stops: for a pair of readings, where the second one is, and whose code is around.
      compiled: by function and frame, the calls that compile it there.
      on_purpose: calls that are measured because they compile.
      told: by the first call that compiles, what tells of durations that cover it.
      first: calls of which no other is known to have compiled the same before.
      resized: those of functions that were called before, with arrays of other shapes.
    """

    calls: dict[Call, tuple[Place, Path]] = field(default_factory=dict)
    stops: dict[tuple[int, int], tuple[Moment, Frame]] = field(default_factory=dict)
    compiled: dict[tuple[Any, int], set[Call]] = field(default_factory=dict)
    on_purpose: set[Call] = field(default_factory=set)
    told: dict[Call, set[tuple[int, str]]] = field(default_factory=dict)
    first: dict[Call, Place] = field(default_factory=dict)
    resized: set[Call] = field(default_factory=set)

    def fork(self) -> _Notes:
        return _Notes(dict(self.calls), dict(self.stops), resized=set(self.resized))


def _counts(it: Interpreter) -> bool:
    return it.trace is None and not it.under


# -- programs -------------------------------------------------------------------------------------


@observes(TransformApplied)
def _transform_applied(it: Interpreter, applied: TransformApplied) -> None:
    if not _counts(it) or it.frame.code is None:
        return
    place = _made_at(applied.made, [*it.active_frames()])
    slot = it.slot(Programs)
    if place not in slot.made or place in slot.lost:
        it.keep(applied.made.place.node)
        slot = it.edit_slot(Programs)
        slot.made |= {place}
        slot.lost -= {place}


def _made_at(made: Transformed, active: Sequence[Frame]) -> Made:
    """Where a function is jitted, and where the path begins on which it is.

    The object of a method that nobody visibly calls is made on another path: what happens to it
    in between is not seen.
    """
    root = next((frame for frame in active if frame.is_root), active[-1])
    return id(made.place.node), pending.number_of(root)


@observes(ProgramNeeded)
def _program_needed(it: Interpreter, needed: ProgramNeeded) -> None:
    if not _counts(it) or it.frame.context.disabled or calls_ahead(it, needed.node):
        return
    function, static = identity(needed.function), static_arguments(needed)
    sizes = None if needed.ahead else sizes_of(needed.args)
    known = it.slot(Programs).known
    alike = {
        others
        for each, other_static, others in known
        if each == function and (static is None or other_static in (None, static))
    }
    if alike & {sizes, None}:
        _measured_again(it, function, needed.node)
        return
    first = not alike or sizes is not None
    slot = it.edit_slot(Programs)
    slot.known = known | {(function, static, sizes)}
    if needed.ahead or not first or not slot.open:
        return
    call, notes = (id(needed.node), it.frame.env), it.observations(_Notes)
    it.keep(needed.node)
    notes.first[call] = it.place(needed.node)
    active = [*it.active_frames()]
    place = _made_at(needed.function, active)
    if place not in slot.made:
        # Others may have called what was there before.
        if not all(begins(frame) for frame in active if frame.is_root):
            return
        if _may_have_been_called(it, slot.unsure, needed.function, active[-1]):
            return
    elif place in slot.lost:
        return
    if may_be_plain(it, needed.node):
        return
    notes.calls[call] = it.place(needed.node), pending.path_of(active)
    if alike:
        notes.resized.add(call)
    notes.compiled.setdefault((function, it.frame.env), set()).add(call)
    slot.open = {number: (who, calls | {call}) for number, (who, calls) in slot.open.items()}


def first_calls(it: Interpreter, calls: Iterable[Call]) -> list[Place]:
    """Those of some calls that compile, as far as anybody has seen."""
    first = it.observations(_Notes).first
    return [first[call] for call in calls if call in first]


def surely_compiles(it: Interpreter, call: Call) -> bool:
    """Whether a call is the first one of its program, whatever others have done before.

    A function that the code of a module was seen to call is looked at once more by itself: there it
    is the first one that was it when that code called.  Code of a module calls as it is read.
    """
    notes = it.observations(_Notes)
    calls = notes.calls
    if call in calls or (call in notes.first and it.frame.code is None):
        return True
    by_itself = any(frame.is_root for frame in it.active_frames())
    return by_itself and any(node == call[0] for node, _ in calls)


def _measured_again(it: Interpreter, function: Any, node: cst.CSTNode) -> None:
    """What was compiled in one measurement is measured by itself in another one of the same code.

    The first one is meant to hold the compilation then.
    """
    slot, notes = it.slot(Programs), it.observations(_Notes)
    compiled = notes.compiled.get((function, it.frame.env))
    if not slot.open or not compiled or any(call[0] == id(node) for call in compiled):
        return
    _, calls = [*slot.open.values()][-1]
    if calls.isdisjoint(compiled):
        notes.on_purpose |= compiled
        for told in chain.from_iterable(notes.told.pop(call, ()) for call in compiled):
            it.withdraw(told)


def _may_have_been_called(
    it: Interpreter, unsure: frozenset[FilePath], made: Transformed, outermost: Frame
) -> bool:
    """Whether a call that nobody looks into may have run what another module has jitted.

    The code of all modules runs before the rest, also that of programs of their own.  What was
    called in one of them has to do with this program if it is part of it, and with the function if
    the one has come to know of the other.
    """
    here, home = outermost.module, made.place.parsed.unit.module
    for path in unsure:
        module = it.project.module_at(path)
        if module is None or (leads_to(it, here, module) and leads_to(it, module, home)):
            return True
    return False


@observes(NotFollowed)
def _not_followed(it: Interpreter, called: NotFollowed) -> None:
    _lose_track(it)


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    if not is_bystander(it, called):
        _lose_track(it)


@observes(LibraryCalled)
def _library_called(it: Interpreter, called: LibraryCalled) -> None:
    # Another library may call what it is given: an optimizer its objective.  What `timeit` calls
    # is seen.
    is_other = asynchrony.is_other_work(called.name) and not called.name.startswith("timeit.")
    if is_other and any(may_call(it, value) for value in called.args.values()):
        _lose_track(it)


def _lose_track(it: Interpreter) -> None:
    """Something runs that may call any function."""
    if not _counts(it):
        return
    slot = it.slot(Programs)
    module = it.frame.outermost.module.path
    if module not in slot.unsure or not slot.made <= slot.lost:
        slot = it.edit_slot(Programs)
        slot.unsure, slot.lost = slot.unsure | {module}, slot.lost | slot.made


# -- measurements ---------------------------------------------------------------------------------


@observes(ClockRead)
def _clock_read(it: Interpreter, read: ClockRead) -> None:
    if _counts(it):
        _end(it, read.number, read.node)
        _begin(it, read.number)


@observes(TimerStarted)
def _timer_started(it: Interpreter, started: TimerStarted) -> None:
    if _counts(it) and started.timer is None:
        _begin(it, started.number)


@observes(TimerStopped)
def _timer_stopped(it: Interpreter, stopped: TimerStopped) -> None:
    if _counts(it) and stopped.timer is None:
        _end(it, stopped.number, stopped.node, only=stopped.number)


def _begin(it: Interpreter, number: int) -> None:
    slot = it.edit_slot(Programs)
    spans = {key: span for key, span in slot.open.items() if key != number}
    for oldest in list(spans)[: 1 - _FOLLOWED]:
        del spans[oldest]
    slot.open = {**spans, number: (_reader(it.frame), _NONE)}


def _reader(frame: Frame) -> Reader:
    parent = frame.parent
    return pending.number_of(frame), None if parent is None else pending.number_of(parent)


def _end(it: Interpreter, number: int, node: cst.CSTNode, only: int | None = None) -> None:
    """Say what has been compiled at a reading, since each one before it in the same frame.

    Of a timer, which starts and stops in methods of its own, that is the frame that calls them.
    """
    slot = it.slot(Programs)
    own, caller = _reader(it.frame)
    clocks = it.slot(Clocks).open
    notes = it.observations(_Notes)
    ended = dict(slot.ended)
    for earlier, (who, calls) in slot.open.items():
        if only is not None and earlier != only:
            continue
        pair = earlier, number
        span = clocks.get(earlier)
        # What the host does besides is measured too: the whole is no time of one function.
        same = who[0] == own or (caller is not None and who[1] == caller)
        if calls and same and span is not None and not span.mixed:
            ended[pair] = calls
            notes.stops[pair] = it.moment(node), it.frame
        else:
            ended.pop(pair, None)
    if ended != slot.ended:
        it.edit_slot(Programs).ended = ended


# -- what a duration is taken for -----------------------------------------------------------------


@observes(DurationCompared)
def _compared(it: Interpreter, compared: DurationCompared) -> None:
    sides = compared.left, compared.right
    whole = any(isinstance(side, Duration) and side.type == "int" for side in sides)
    units = _UNITS | _UNITS_OF_WHOLE if whole else _UNITS
    if not any(isinstance(side, Const) and side.value in units for side in sides):
        _presented(it, _spans(sides), compared.node, each=True)


@observes(ContentsChanged)
def _kept_each_turn(it: Interpreter, change: ContentsChanged) -> None:
    if change.value is None or change.action not in _KEEPING or not it.frame.enclosing_loops:
        return
    spans = _spans(_kept(it, change.value))
    kept = None if isinstance(change.receiver, str) else root_name(change.receiver)
    if spans and not leaves_first_out([*it.active_frames()], kept):
        _presented(it, spans, change.node)


def _kept(it: Interpreter, value: Value) -> list[Value]:
    """What is kept: a duration, or a row of a table that holds one."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    return [*contents.items.values()] if isinstance(contents, DictObject) else [value]


def _spans(values: Iterable[Value]) -> frozenset[tuple[int, int]]:
    found: frozenset[tuple[int, int]] = frozenset()
    for value in values:
        if isinstance(value, Duration):
            found |= value.spans
        elif isinstance(value, Tuple):
            found |= _spans(value.items)
        elif isinstance(value, Union):
            found |= _spans(value.members)
    return found


def _presented(
    it: Interpreter, spans: frozenset[tuple[int, int]], node: cst.CSTNode, *, each: bool = False
) -> None:
    """Durations stand for what it costs to run something, perhaps ``each`` by itself."""
    if not spans or not _counts(it):
        return
    ended = it.slot(Programs).ended
    found = {pair: calls for pair in sorted(spans) if (calls := ended.get(pair))}
    if not found or is_conditional(it.frame, node):
        return
    active = [*it.active_frames()]
    notes = it.observations(_Notes)
    for pair, calls in found.items():
        stop, frame = notes.stops[pair]
        if stop.in_test or is_told([frame, it.frame], active):
            continue
        known = [
            call
            for call in calls - notes.on_purpose
            if call in notes.calls and not is_job(frame, notes.calls[call][0].node)
        ]
        goes_on = each and any(is_turn_of_job(frame, notes.calls[call][0].node) for call in known)
        if known and not goes_on:
            first = min(known, key=lambda call: _rank(notes.calls[call][0]))
            place = notes.calls[first][0]
            told = event_key(stop.place.node, CompilingTiming)
            notes.told.setdefault(first, set()).add(told)
            it.note(
                CompilingTiming,
                stop.place.node,
                at=stop,
                origin=Origin(place, "the first call, which compiles"),
                operand=place.text(),
                resized=first in notes.resized,
            )


def _rank(place: Place) -> tuple[object, ...]:
    return str(place.parsed.unit.module.path), place.position()

"""Clocks that are read while work is pending: what was dispatched since, and who waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.measurement import pending_work as pending
from jitlint.absint.detectors.measurement.bystanders import is_passive
from jitlint.absint.detectors.measurement.compile_spans import first_calls
from jitlint.absint.detectors.measurement.dispatches import (
    Dispatch,
    is_compiled_anew,
    is_eager,
    is_first,
    is_short,
    is_tail,
)
from jitlint.absint.detectors.measurement.in_flight import (
    is_by_operations,
    is_mostly_done,
    is_told_rarely,
    turns_between,
)
from jitlint.absint.detectors.measurement.light_programs import (
    calls_back,
    is_given_numpy,
    is_light,
)
from jitlint.absint.detectors.measurement.measured_code import (
    is_of_compilation,
    is_of_failure,
    is_time_limit,
    is_told_by_turn,
)
from jitlint.absint.detectors.measurement.pending_work import BLOCK, Clocks, Span, Work, Works
from jitlint.absint.detectors.measurement.rebound_names import calls_ahead
from jitlint.absint.detectors.measurement.warm_ups import needs_no_wait
from jitlint.absint.detectors.surroundings.loop_counters import turns_of
from jitlint.absint.detectors.surroundings.on_request import waits_on_request
from jitlint.absint.detectors.surroundings.written import asked_once
from jitlint.absint.events import UnawaitedTiming
from jitlint.absint.machine.clock_signals import (
    Asked,
    ClockRead,
    Elapsed,
    LibraryCalled,
    NotFollowed,
    TimerStarted,
    TimerStopped,
    WorkDispatched,
    Yielded,
)
from jitlint.absint.machine.frames import Frame, Moment
from jitlint.absint.machine.signals import (
    AttributeSet,
    ContentsChanged,
    Received,
    TransformedCalled,
    UnknownCalled,
    observes,
)
from jitlint.absint.values.domain import Array, Const, Origin, Static
from jitlint.jaxmodel import asynchrony
from jitlint.jaxmodel.asynchrony import IN_FLIGHT

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments
    from jitlint.absint.machine.interpreter import Interpreter


class _Notes(Struct, eq=False):
    """What is noted of a run: none of it depends on the path.

    Args:
      works: what dispatched work.
      stops: for a pair of readings, where the second one is, as those see it who dispatched the
        work.
      readings: where each clock was read, and from where that was called, the innermost first.
      timers: generators that measure the block of the ``with`` that runs them.
      called: the use of the transform that made what is being called.
      events: how many events there were before.
      broken: those of which a call raises.
    """

    works: dict[Work, Dispatch] = field(default_factory=dict)
    stops: dict[tuple[int, int], Moment] = field(default_factory=dict)
    readings: dict[int, tuple[int, ...]] = field(default_factory=dict)
    timers: set[Code] = field(default_factory=set)
    events: int = 0
    broken: set[int] = field(default_factory=set)
    called: int = 0

    def fork(self) -> _Notes:
        return _Notes(
            dict(self.works),
            dict(self.stops),
            dict(self.readings),
            set(self.timers),
            broken=set(self.broken),
        )


def _is_idle(it: Interpreter) -> bool:
    """Whether no clock has been read, or nothing here counts."""
    return it.trace is not None or bool(it.under) or not pending.followed(it)


# -- readings -------------------------------------------------------------------------------------


@observes(ClockRead)
def _clock_read(it: Interpreter, read: ClockRead) -> None:
    if it.trace is None and not it.under:
        active = [*it.active_frames()]
        _end(it, read.number, read.node, active)
        it.keep(read.node)
        it.observations(_Notes).readings[read.number] = tuple(pending.places(read.node, active))
        pending.opened(it, read.number, active)


@observes(TimerStarted)
def _timer_started(it: Interpreter, started: TimerStarted) -> None:
    if it.trace is not None or it.under or is_told_by_turn(it.frame, started.node):
        return
    if _measures(it, started.timer):
        pending.opened(it, started.number, [*it.active_frames()])


@observes(TimerStopped)
def _timer_stopped(it: Interpreter, stopped: TimerStopped) -> None:
    if _is_idle(it) or stopped.often or not _measures(it, stopped.timer):
        return
    clocks = it.slot(Clocks)
    span = clocks.open.get(stopped.number)
    if span is not None:
        works = _unresolved(it, span, [*it.active_frames()])
        if works:
            compiles = _is_cell(it, stopped) and _compiles_all(it, works)
            _note(it, it.moment(stopped.node), works, compiles=compiles)


def _is_cell(it: Interpreter, stopped: TimerStopped) -> bool:
    """Whether it is a cell of a notebook, or a line of one, that is timed by a magic."""
    around = next(it.frame.parsed.above(stopped.node), None)
    return stopped.timer is None and isinstance(around, cst.WithItem)


def _compiles_all(it: Interpreter, works: Works) -> bool:
    """Whether a cell compiles what it runs: also operations, and loops, outside of jit."""
    known = it.observations(_Notes).works
    return all(
        work in known and (is_eager(known[work]) or is_first(it, work, known[work]))
        for work in works
    )


def _measures(it: Interpreter, timer: Code | None) -> bool:
    return timer is None or timer in it.observations(_Notes).timers


def _end(it: Interpreter, number: int, node: cst.CSTNode, active: list[Frame]) -> None:
    """Say what is pending at a reading, for each one before it."""
    clocks = it.slot(Clocks)
    spans = pending.followed(it)
    if not spans:
        return
    notes = it.observations(_Notes)
    ended = dict(clocks.ended)
    for earlier, span in spans.items():
        periods = turns_between(it, node, span.loops, notes.readings.get(earlier, ()))
        unresolved = _unresolved(it, span, active, periods)
        if unresolved and not is_tail(it, span, unresolved, notes.works):
            ended[earlier, number] = unresolved
            notes.stops[earlier, number] = _seen_from(it, unresolved, node, active, notes)
        else:
            ended.pop((earlier, number), None)
    if ended != clocks.ended:
        it.edit_slot(Clocks).ended = ended


def _unresolved(
    it: Interpreter, span: Span, active: list[Frame], periods: Mapping[int, int] | None = None
) -> Works:
    """What is measured from a reading up to here, and still pending.

    Single operations count where nothing else is done, neither by the host nor by whole programs:
    beside these they are next to nothing.  Where a loop only says how long it has been running,
    what is dispatched in that loop counts.

    Args:
      it: the interpreter.
      span: what happened since the reading.
      active: the frames that are active now.
      periods: the turns from one reading to the next, by the loops in which some have none.
    """
    found = span.unresolved
    if not found:
        return found
    inner = pending.loops_of(active) - span.loops
    known = it.observations(_Notes).works
    periods = periods or {}

    def done(dispatch: Dispatch) -> bool:
        loops = (dispatch.loops - span.loops) | (dispatch.loops & periods.keys())
        return is_mostly_done(it, loops, periods, by_operations=dispatch.by_operations)

    # Devices work in the order in which they are told to: what came before is done as well.
    often = [n for n, each in enumerate(span.programs) if each in known and done(known[each])]
    last = len(span.programs) if span.is_behind else often[-1] if often else 0
    before = frozenset(span.programs[:last])
    return frozenset(
        work
        for work in found - before
        if (dispatch := known.get(work)) is None
        or (
            (dispatch.program or not (span.mixed or span.programs))
            and (not inner or not inner.isdisjoint(dispatch.loops))
            and not done(dispatch)
        )
    )


def _seen_from(
    it: Interpreter, works: Works, node: cst.CSTNode, active: list[Frame], notes: _Notes
) -> Moment:
    """Where a clock is read, in the innermost function that both reads it and dispatches work.

    That is the call of a function that stops a timer, where the work is dispatched next to it.
    """
    paths = [notes.works[work].path for work in works if work in notes.works]
    for frame, place in [(active[0], it.place(node)), *pending.calls(active)]:
        number = pending.number_of(frame)
        if all(number in path for path in paths):
            return Moment(place, frame.qualname, frame.chain, frame.in_test, it.trace_number)
    return it.moment(node)


@observes(Elapsed)
def _elapsed(it: Interpreter, elapsed: Elapsed) -> None:
    if it.trace is not None or it.under:
        return
    ended = it.slot(Clocks).ended
    found = {
        pair: works
        for pair in sorted(elapsed.spans)
        if (works := ended.get(pair)) and not _follow_each_other(it, *pair)
    }
    if not found or is_time_limit(it.frame, elapsed.node):
        return
    if is_of_compilation(it.frame, elapsed.node) or is_of_failure(it.frame, elapsed.node):
        return
    if waits_on_request(it.frame) or is_told_rarely(it, elapsed.node):
        return
    notes = it.observations(_Notes)
    for pair, works in found.items():
        blocks = {work for work in works if work[0] == BLOCK}
        notes.timers.update(pending.generators(it.frame, blocks))
        rest = frozenset(work for work in works - blocks if not _is_given(it, work, elapsed.node))
        dispatches = {work: known for work in rest if (known := notes.works.get(work)) is not None}
        if all(
            work in dispatches
            and is_first(it, work, dispatches[work])
            and is_short(it, dispatches[work])
            for work in rest
        ):
            continue
        places = [known.place for known in dispatches.values()]
        if rest and not needs_no_wait(it, elapsed.node, places, first_calls(it, rest)):
            _note(it, notes.stops[pair], rest)


def _is_given(it: Interpreter, work: Work, node: cst.CSTNode) -> bool:
    """Whether the call that dispatches some work is given how long something took: it schedules."""
    known = it.observations(_Notes).works.get(work)
    if known is None or known.place.parsed is not it.frame.parsed:
        return False
    return known.place.node is not node and known.place.parsed.holds(known.place.node, node)


def _follow_each_other(it: Interpreter, first: int, second: int) -> bool:
    """Whether two readings are the same one, in one turn or call and in the next.

    No time is lost from one to the next: what is still pending at one of them is measured by the
    next, and the sum is how long all of them took.
    """
    notes = it.observations(_Notes)
    place = id(notes.stops[first, second].place.node)
    before, after = notes.readings.get(first, ()), notes.readings.get(second, ())
    if place not in before or place not in after:
        return False
    return before[: before.index(place)] == after[: after.index(place)]


def _note(it: Interpreter, stop: Moment, works: Works, *, compiles: bool = False) -> None:
    known = it.observations(_Notes).works
    found = [known[work] for work in works if work in known]
    if not found:
        return
    # Always the same one, whatever the order in which they were met: who waits for the last one
    # has waited for all.
    place = max(found, key=lambda dispatch: _rank(dispatch, stop)).place
    waited = all(not work.from_host and calls_back(it, work.function) for work in found)
    origin = Origin(place, "the work is dispatched here")
    node, text = stop.place.node, place.text()
    it.note(
        UnawaitedTiming,
        node,
        at=stop,
        origin=origin,
        operand=text,
        calls_back=waited,
        compiles=compiles,
    )


def _rank(dispatch: Dispatch, stop: Moment) -> tuple[object, ...]:
    place = dispatch.place
    beside = place.parsed is stop.place.parsed
    return dispatch.program, beside, str(place.parsed.unit.module.path), place.position()[2:]


# -- work -----------------------------------------------------------------------------------------


@observes(TransformedCalled)
def _transformed_called(it: Interpreter, called: TransformedCalled) -> None:
    if called.maker is None and not it.under:
        notes = it.observations(_Notes)
        notes.called, notes.events = id(called.function.place.node), len(it.events)


def _raises(it: Interpreter) -> bool:
    """Whether the call of a transformed function that ends here has not come to its end."""
    notes = it.observations(_Notes)
    new = islice(it.events.values(), notes.events, None)
    if len(it.events) > notes.events and any(event.exceptions and event.certain for event in new):
        notes.broken.add(notes.called)
    return notes.called in notes.broken


@observes(WorkDispatched)
def _work_dispatched(it: Interpreter, work: WorkDispatched) -> None:
    function = work.function
    if function is not None and it.trace is None and not it.under and _raises(it):
        return
    if _is_idle(it) or it.frame.context.disabled:
        return
    if asynchrony.is_light(work.name):
        if asynchrony.is_operator(work.name):
            it.keep(work.node)
            pending.followed_by(it, (id(work.node), it.frame.env))
        return
    if function is not None and is_light(it, function):
        return
    if asynchrony.waits_itself(work.name):
        pending.awaited(it)
        return
    if calls_ahead(it, work.node):
        return
    active = [*it.active_frames()]
    key = id(work.node), it.frame.env
    it.keep(work.node)
    notes = it.observations(_Notes)
    if key not in notes.works:
        loops = pending.loops_of(active)
        path = pending.path_of(active)
        by_operations = work.program and is_by_operations(it, work.name)
        place, from_host = it.place(work.node), is_given_numpy(it, work.node)
        turns = turns_of(it, active, IN_FLIGHT)
        kind = work.program, by_operations, function
        anew = function is not None and is_compiled_anew(it, function, work.node)
        notes.works[key] = Dispatch(place, path, loops, *kind, turns, from_host, anew)
    many = asynchrony.dispatches_many(work.name)
    pending.dispatched(it, key, pending.touched(active), program=work.program, many=many)


@observes(Yielded)
def _yielded(it: Interpreter, yielded: Yielded) -> None:
    if _is_idle(it):
        return
    frame = it.frame
    pending.awaited(it)
    if frame.code is not None and _is_manager(frame, frame.code.node or yielded.node):
        # The block that is run here may do anything, and dispatch anything.
        pending.dispatched(it, (BLOCK, frame.env), frozenset())


@asked_once
def _is_manager(frame: Frame, node: cst.CSTNode) -> bool:
    decorators = node.decorators if isinstance(node, cst.FunctionDef) else ()
    return any("contextmanager" in frame.parsed.source(each.decorator) for each in decorators)


# -- waiting --------------------------------------------------------------------------------------


@observes(Asked)
def _asked(it: Interpreter, asked: Asked) -> None:
    if not _is_idle(it):
        spans = pending.followed(it)
        pending.awaited(
            it,
            {
                number: pending.waited_for(it, span, asked.values, asked.nodes)
                for number, span in spans.items()
                if span.unresolved
            },
            sure=any(isinstance(value, Array) for value in asked.values),
        )


@observes(LibraryCalled)
def _library_called(it: Interpreter, called: LibraryCalled) -> None:
    if _is_idle(it):
        return
    if asynchrony.is_other_work(called.name):
        pending.mixed(it)
    if asynchrony.waits_for_all(called.name):
        pending.awaited(it)
        return
    first = next(iter(called.args.positional), None)
    if asynchrony.waits_for_arguments(called.name, is_array=isinstance(first, Array)):
        _given(it, called.args)


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    if not _is_idle(it):
        if not is_passive(called.node):
            pending.mixed(it)
        _given(it, called.args, called.node)


@observes(NotFollowed)
def _not_followed(it: Interpreter, called: NotFollowed) -> None:
    if not _is_idle(it):
        pending.mixed(it)
        _given(it, called.args, called.node)


def _given(it: Interpreter, args: Arguments, node: cst.CSTNode | None = None) -> None:
    """Something may wait for its arguments, or for what is called itself stands for."""
    named = [(value, args.keyword_nodes.get(key)) for key, value in args.keywords.items()]
    places = [*args.nodes[: len(args.positional)]]
    values = [*args.positional[: len(places)], *(v for v, where in named if where is not None)]
    places += [where for _, where in named if where is not None]
    values += args.positional[len(args.nodes) :]
    values += [value for value in (args.star, args.star_keywords) if value is not None]
    callee = node.func if isinstance(node, cst.Call) else node
    spans = pending.followed(it)
    pending.awaited(
        it,
        {
            number: pending.waited_for(it, span, values, places)
            if callee is None or pending.is_older(it, span, callee)
            else span.unresolved
            for number, span in spans.items()
            if span.unresolved
        },
    )


# -- names ----------------------------------------------------------------------------------------


@observes(Received)
def _received(it: Interpreter, received: Received) -> None:
    if isinstance(received.value, (Const, Static)) or _is_idle(it):
        return
    if received.node is not None:
        _changed(it, received.node)


@observes(AttributeSet)
def _attribute_set(it: Interpreter, change: AttributeSet) -> None:
    if not isinstance(change.value, (Const, Static)) and not _is_idle(it):
        _changed(it, change.node)


@observes(ContentsChanged)
def _contents_changed(it: Interpreter, change: ContentsChanged) -> None:
    receiver = change.receiver
    if isinstance(receiver, str) or isinstance(change.value, (Const, Static)) or _is_idle(it):
        return
    _changed(it, receiver)


def _changed(it: Interpreter, node: cst.CSTNode) -> None:
    for inner in walk_own(node):
        if isinstance(inner, cst.Name):
            pending.bound(it, (pending.number_of(it.frame), inner.value))

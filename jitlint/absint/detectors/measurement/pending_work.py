"""Work that devices do while host code goes on, between the readings of a clock.

The slot follows each reading of a clock: what has been dispatched since then, and whether somebody
waited.  What an unknown value is asked for may be what was dispatched, unless its names stand for
what they stood for when the clock was read.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import libcst as cst
from msgspec import Struct, field
from msgspec.structs import replace

from jitlint.absint.code.functions import Code, Place
from jitlint.absint.code.syntax import called_name, walk_own
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.signals import in_state
from jitlint.absint.values.domain import (
    Array,
    Const,
    ExternalInstance,
    Partial,
    Static,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import Instance, Slot
from jitlint.absint.values.traversal import fold
from jitlint.jaxmodel.asynchrony import IN_FLIGHT

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: the frames that are active, the outermost first
Path = tuple[int, ...]
#: what dispatches work: a node, and the frame whose code it is
Work = tuple[int, int]
Works = frozenset[Work]
#: a name of a frame: by the frame
Name = tuple[int, str]

#: stands for a node: what ran while a generator that is a context manager had handed over
BLOCK: Final = 0
_NONE: Final[Works] = frozenset()
#: measurements that are followed at once: the newest ones
_FOLLOWED: Final = 12
#: operations that are told apart since one reading: a library that computes outside of jit sends
#: thousands, each of which would make every set of them longer; programs all count
_OPERATIONS: Final = 100
#: levels of containers in which arrays are looked for
_LEVELS: Final = 3


class Span(Struct, frozen=True):
    """What happened since a clock was read.

    Args:
      path: the frames that were active then.
      pending: what has been dispatched since somebody last waited.
      waited: what has been waited for, so that only its last turn can be pending again.
      done: what of that was done for sure: it was arrays that somebody waited for.
      programs: functions as a whole that have been dispatched, the first one first.
      bound: names that may stand for something that was dispatched, and how many of those programs
        there were then: it is none of the later ones.
      loops: the loops around the reading.
      later: single operations since the last of those programs.
      many: whether one call has dispatched a lot of them since then.
      mixed: whether the host has done other things meanwhile.
    """

    path: Path
    pending: Works = _NONE
    waited: Works = _NONE
    done: Works = _NONE
    programs: tuple[Work, ...] = ()
    bound: Mapping[Name, int] = field(default_factory=dict)
    loops: frozenset[int] = frozenset()
    later: Works = _NONE
    many: bool = False
    mixed: bool = False

    @property
    def unresolved(self) -> Works:
        """What nobody has waited for in any turn."""
        return self.pending - self.waited

    @property
    def is_behind(self) -> bool:
        """Whether the programs are done: who dispatches more than what is in flight waits."""
        return self.many or len(self.later) >= IN_FLIGHT

    def joined(self, other: Span) -> Span:
        """What may have happened on either of two paths."""
        if self is other or self == other:
            return self
        programs, bound = self.programs, {**self.bound, **other.bound}
        if programs == other.programs:
            bound |= {name: max(self.bound.get(name, 0), number) for name, number in bound.items()}
        else:
            # What came after what is not known any more.
            programs = tuple(dict.fromkeys((*programs, *other.programs)))
            bound = dict.fromkeys(bound, len(programs))
        return replace(
            self,
            pending=self.pending | other.pending,
            waited=self.waited | other.waited,
            done=self.done | other.done,
            programs=programs,
            bound=bound,
            later=self.later & other.later,
            many=self.many and other.many,
            mixed=self.mixed or other.mixed,
        )


@in_state
class Clocks(Slot):
    """The measurements at a point of the program.

    Args:
      open: by the number of a reading, what happened since.
      ended: for pairs of readings, what was pending at the second one.
    """

    __slots__ = ("ended", "open")

    def __init__(
        self,
        open_: Mapping[int, Span] | None = None,
        ended: Mapping[tuple[int, int], Works] | None = None,
    ) -> None:
        self.open: Mapping[int, Span] = open_ or {}
        self.ended: Mapping[tuple[int, int], Works] = ended or {}

    def join(self, other: Clocks) -> Clocks:
        """What may be pending after either of two paths."""
        open_ = dict(self.open)
        for number, span in other.open.items():
            known = open_.get(number)
            open_[number] = span if known is None else known.joined(span)
        for number in sorted(open_)[:-_FOLLOWED]:
            del open_[number]
        ended = dict(self.ended)
        for pair, works in other.ended.items():
            ended[pair] = ended.get(pair, _NONE) | works
        return Clocks(open_, ended)

    def agreed(self, before: Clocks, ways: Sequence[Clocks]) -> Clocks:
        """What is pending whichever path was taken: none, where one of them has dispatched none."""
        open_ = dict(self.open)
        for number, span in self.open.items():
            known = before.open.get(number)
            if known is None:
                continue
            at_ends = [way.open[number].pending for way in ways if number in way.open]
            if not all(pending - known.pending for pending in at_ends):
                kept = tuple(work for work in span.programs if work in known.programs)
                bound = {name: min(count, len(kept)) for name, count in span.bound.items()}
                pending = span.pending & known.pending
                open_[number] = replace(span, pending=pending, programs=kept, bound=bound)
        return Clocks(open_, self.ended)

    def by_subject(self) -> Mapping[Hashable, object]:
        """Nothing that another module could change."""
        return {}

    def begun(self, own: Clocks | None) -> Clocks:
        """Each module measures for itself: which one runs first says nothing of a program."""
        return Clocks() if own is None else own

    def resumed(self, known: Clocks) -> Clocks:
        """What is measured goes on."""
        return Clocks({**self.open, **known.open}, {**self.ended, **known.ended})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clocks) and (self.open, self.ended) == (other.open, other.ended)

    __hash__ = None


# -- frames ---------------------------------------------------------------------------------------


def number_of(frame: Frame) -> int:
    """What tells a frame from others: all statements of a module run in one."""
    return -id(frame.module) if frame.parent is None and frame.code is None else frame.env


def path_of(active: Iterable[Frame]) -> Path:
    """The path of some active frames."""
    return tuple([number_of(frame) for frame in active])[::-1]


def loops_of(active: Iterable[Frame]) -> frozenset[int]:
    """The loops around the current point, in all active frames."""
    return frozenset(id(loop) for frame in active for loop in frame.enclosing_loops)


def places(node: cst.CSTNode, active: list[Frame]) -> Iterator[int]:
    """A node, and the calls that have led there, the innermost first."""
    yield id(node)
    yield from (id(place.node) for _, place in calls(active))


def calls(active: list[Frame]) -> Iterator[tuple[Frame, Place]]:
    """From where the active functions were called, the innermost first: the caller, and where."""
    for frame in active:
        if frame.parent is None or frame.chain is None:
            return
        yield frame.parent, frame.chain.step.place


def touched(active: list[Frame]) -> frozenset[Name]:
    """The names in the calls that have led to the innermost frame.

    What they stand for may have been changed by what is dispatched there.
    """
    found = set()
    for caller, place in calls(active):
        number = number_of(caller)
        found |= {(number, name) for name in place.parsed.fact(names_within, place.node)}
    return frozenset(found)


# -- changes of the slot --------------------------------------------------------------------------


def followed(it: Interpreter) -> Mapping[int, Span]:
    """The measurements that what happens here belongs to.

    The code of a module may run within that of another, whose measurements it has no part in: it
    would have been imported before.
    """
    spans = it.slot(Clocks).open
    if not spans:
        return spans
    outermost = number_of(it.frame.outermost)
    if all(span.path[0] == outermost for span in spans.values()):
        return spans
    return {number: span for number, span in spans.items() if span.path[0] == outermost}


def opened(it: Interpreter, number: int, active: Sequence[Frame]) -> None:
    """A measurement begins."""
    clocks = it.edit_slot(Clocks)
    # What other modules measure is over, but where they have come to import this one.
    spans = {key: span for key, span in followed(it).items() if key != number}
    for oldest in list(spans)[: 1 - _FOLLOWED]:
        del spans[oldest]
    clocks.open = {**spans, number: Span(path_of(active), loops=loops_of(active))}


def dispatched(
    it: Interpreter,
    work: Work,
    touched: frozenset[Name],
    *,
    program: bool = False,
    many: bool = False,
) -> None:
    """Work is dispatched, by a call that is given what some names stand for.

    Args:
      it: the interpreter.
      work: the call.
      touched: the names.
      program: whether it is that of a function as a whole.
      many: whether that call dispatches many operations.
    """
    changed = {}
    for number, span in followed(it).items():
        programs, later, many_of = span.programs, span.later | {work}, span.many or many
        pending = span.pending | {work}
        if program:
            later, many_of = _NONE, False
            programs = programs if work in programs else (*programs, work)
        elif len(span.pending) >= _OPERATIONS:
            pending = span.pending
            later = span.later if span.is_behind else later
        names = [name for name in touched if name[0] in span.path]
        bound = {**span.bound, **dict.fromkeys(names, len(programs))} if names else span.bound
        made = replace(
            span, pending=pending, programs=programs, bound=bound, later=later, many=many_of
        )
        if made != span:
            changed[number] = made
    _put(it, changed)


def followed_by(it: Interpreter, work: Work) -> None:
    """Something is dispatched behind other work that nobody would measure."""
    _put(
        it,
        {
            number: replace(span, later=span.later | {work})
            for number, span in followed(it).items()
            if span.programs and not span.is_behind and work not in span.later
        },
    )


def awaited(
    it: Interpreter, which: Mapping[int, Works] | None = None, *, sure: bool = False
) -> None:
    """Somebody waits, or may; for some work of each measurement, or for all that was dispatched.

    Args:
      it: the interpreter.
      which: the work, by the number of the measurement; None for all.
      sure: whether it is arrays that somebody waits for.
    """
    spans = followed(it)
    if which is None:
        which = {number: span.unresolved for number, span in spans.items()}
    _put(
        it,
        {
            number: replace(
                span, waited=span.waited | works, done=span.done | works if sure else span.done
            )
            for number, works in which.items()
            if works and (span := spans[number])
        },
    )


def bound(it: Interpreter, name: Name) -> None:
    """A name may stand for something that was dispatched."""
    _put(
        it,
        {
            number: replace(span, bound={**span.bound, name: len(span.programs)})
            for number, span in followed(it).items()
            if span.unresolved
            and name[0] in span.path
            and span.bound.get(name) != len(span.programs)
        },
    )


def mixed(it: Interpreter) -> None:
    """The host does something that takes time."""
    spans = followed(it)
    _put(it, {key: replace(span, mixed=True) for key, span in spans.items() if not span.mixed})


def _put(it: Interpreter, changed: Mapping[int, Span]) -> None:
    if changed:
        clocks = it.edit_slot(Clocks)
        clocks.open = {**clocks.open, **changed}


# -- what may be pending --------------------------------------------------------------------------


def waited_for(
    it: Interpreter, span: Span, values: Iterable[Value], nodes: Iterable[cst.CSTNode]
) -> Works:
    """What is done once some values are there, of what was dispatched since a clock was read.

    Devices work in the order in which they are told to.
    """
    unresolved = span.unresolved
    if any(work[0] == BLOCK for work in unresolved):
        # What ran meanwhile may have filled any object.
        only_static = all(isinstance(value, (Const, Static)) for value in values)
        return _NONE if only_static else unresolved
    places = iter(nodes)
    last = None
    for value, node in ((value, next(places, None)) for value in values):
        if _may_be_array(it, value) and not is_older(it, span, node):
            last = max(last or 0, _programs_before(it, span, value, node))
    return _NONE if last is None else unresolved.difference(span.programs[last:])


def _programs_before(it: Interpreter, span: Span, value: Value, node: cst.CSTNode | None) -> int:
    """How many programs may have run for a value: nobody changes what an array has come from."""
    key = (number_of(it.frame), node.value) if isinstance(node, cst.Name) else None
    fixed = isinstance(value, Array) or (
        isinstance(value, Tuple) and all(isinstance(part, Array) for part in value.items)
    )
    every = len(span.programs)
    return span.bound.get(key, every) if key is not None and fixed else every


def _may_be_array(it: Interpreter, value: Value) -> bool:
    """Whether a value is an array, holds one, or may be anything."""

    def leaf(value: Value, depth: int) -> bool:
        if isinstance(value, (Array, Tree, Unknown)):
            return True
        if isinstance(value, Union):
            return any(_may_be_array(it, member) for member in value.members)
        if isinstance(value, ExternalInstance):
            return any(isinstance(held, (Array, Tree)) for _, held in value.attributes)
        if isinstance(value, Partial):
            return any(_may_be_array(it, held) for held in value.args)
        return isinstance(_contents(it, value), Instance)

    return fold(value, it.contents, leaf, any, _LEVELS)


def _contents(it: Interpreter, value: Value) -> object:
    number = getattr(value, "id", None)
    return None if number is None or isinstance(value, Tuple) else it.contents(number)


def is_older(it: Interpreter, span: Span, node: cst.CSTNode | None) -> bool:
    """Whether an expression stands for what there was before a clock was read.

    Its names are those of a function that was running then, and nothing that has been dispatched
    since was given to them, or to a call that was given what they stand for.
    """
    frame = it.frame
    number = number_of(frame)
    if node is None or number not in span.path:
        return False
    names = frame.parsed.fact(_names, node)
    return names is not None and not any((number, name) in span.bound for name in names)


def _names(node: cst.CSTNode) -> frozenset[str] | None:
    """The names in an expression that calls nothing, but for a key; None of one that does."""
    found = set()
    for inner in walk_own(node):
        if isinstance(inner, (cst.Await, cst.Lambda, cst.Yield)):
            return None
        if isinstance(inner, cst.Call) and not _gets_by_key(inner):
            return None
        if isinstance(inner, cst.Name):
            found.add(inner.value)
    return frozenset(found)


def _gets_by_key(call: cst.Call) -> bool:
    """``config.get("every", 10)``, which gives what ``config["every"]`` does."""
    return called_name(call) == "get" and all(
        isinstance(arg.value, (cst.SimpleString, cst.BaseNumber)) for arg in call.args
    )


def names_within(node: cst.CSTNode) -> frozenset[str]:
    """All names in a piece of code."""
    return frozenset(inner.value for inner in walk_own(node) if isinstance(inner, cst.Name))


def generators(frame: Frame, blocks: Collection[Work]) -> Iterator[Code]:
    """The generators whose blocks were measured: the running one, or one around the clock's code.

    ``with timer: yield`` in a generator stops the timer's clock in a method.
    """
    envs = {env for _, env in blocks}
    walk: Frame | None = frame
    while envs and walk is not None:
        if walk.code is not None and (walk is frame or walk.env in envs):
            yield walk.code
        walk = walk.parent

"""What is recorded of a run: events, the functions that JAX calls, what detectors note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.code.functions import Code, Place
from jitlint.absint.code.syntax import UnsupportedSyntaxError
from jitlint.absint.events import Assertion, Effect, Event, Loop, SwallowedError, event_key
from jitlint.absint.machine.entries import Entry
from jitlint.absint.machine.execution import Execution
from jitlint.absint.machine.frames import Chain, Ending, Frame, Moment, Terminated, TryFrame
from jitlint.absint.machine.given import facts_of_given, given_at
from jitlint.absint.machine.omissions import SHORT_OF_BUDGET, Omission, Omissions, Reason
from jitlint.absint.machine.signals import Signal, ValueRefused
from jitlint.absint.values.domain import (
    REPORTED,
    STAGED,
    UNKNOWN,
    Array,
    Certainty,
    Level,
    Origin,
    Transformed,
    Tree,
    Value,
)
from jitlint.absint.values.heap import EAGER, FILLING
from jitlint.jaxmodel.transforms import static_option

_Notes = TypeVar("_Notes")


def _inside(event: type[Event], details: Mapping[str, Any]) -> str:
    """What a swallowed error comes from, in a word."""
    said = {Loop: "while", Assertion: "assert"}.get(event)
    for detail in ("construct", "callee", "operator", "builtin"):
        said = said or details.get(detail)
    return str(said)


class Recorder(Execution):
    """The record of a run: it outlives all else that the run has made.

    Args:
      knowledge: what :class:`~jitlint.absint.machine.knowledge.Knowledge` takes.
    """

    def __init__(self, *knowledge: Any) -> None:
        super().__init__(*knowledge)
        self.events: dict[tuple[Any, ...], Event] = {}
        #: the functions that run in a trace, where a list of them is wanted
        self.lists_functions = True
        self.entries: dict[int, Entry] = {}
        #: transformed functions that were called, each as one of those that its place makes of it
        self.called: dict[tuple[int, int], Transformed] = {}
        #: what libcst refuses: by file and row, what it says
        self.unsupported: dict[tuple[Path, int], str] = {}
        #: what was left out of traced code
        self.omissions: Omissions = {}
        #: how many calls were left out, in all code, whose results more of a budget would have told
        self.short_of_budget = 0
        #: whether an event was emitted since this was last reset; asked by conditions
        self.reported = False
        self._speculations = 0
        #: what is one of several things where an alternative of it is evaluated
        self._doubted = ""
        #: what detectors noted, each in a record of its own class
        self._observations: dict[type, Any] = {}

    def begin_record(self) -> None:
        """Record from here on; what detectors need of what modules made stays known."""
        self.events, self.entries, self.called, self.unsupported = {}, {}, {}, {}
        self.omissions = {}
        self._observations = {kind: noted.fork() for kind, noted in self._observations.items()}

    def load(self, code: Code) -> Code | None:
        """Parse a function of the index on first use; None if libcst refuses it."""
        self.loaded.add(id(code))
        try:
            return self.store.load(code)
        except UnsupportedSyntaxError as error:
            self.refused(error)
            return None

    def refused(self, error: UnsupportedSyntaxError) -> None:
        """Remember what could not be parsed."""
        self.unsupported.setdefault((error.unit.module.path, error.row), str(error))

    def omit(self, reason: Reason, node: cst.CSTNode, subject: str | cst.CSTNode) -> None:
        """Remember that something at a node of the current code is not analysed.

        Most of the code outside of traces is none of a linter's business: of that, only what
        decides about traced code is told.
        """
        frame = self.frame
        if reason in SHORT_OF_BUDGET:
            self.short_of_budget += 1
        if frame.context.staging or reason in (Reason.STEPS, Reason.STATIC):
            key = reason, id(node)
            if key not in self.omissions:
                place = Place(frame.parsed, node)
                self.omissions[key] = Omission(reason, place, frame.qualname, subject)

    # -- events -------------------------------------------------------------------------------

    def emit(
        self,
        event: type[Event],
        node: cst.CSTNode,
        value: Value | None,
        *,
        operand: cst.CSTNode | str | None = None,
        exceptions: tuple[str, ...] = (),
        **details: Any,
    ) -> Value:
        """Record what happened at a node of the current code.

        ``value`` is the traced value at fault: it says how sure the event is and where it came
        from.  Values that are only guessed to be traced give no event.

        Returns:
          What is known of the result.
        """
        self.reported = True
        certainty = Certainty.SURE
        origin: Origin | None = None
        if isinstance(value, (Array, Tree)):
            certainty = value.certainty
            origin = value.origin
            if self.trace is None and value.level is not Level.CONCRETE:
                # It leaked from a trace that is over, which is told there.
                return UNKNOWN
        if certainty is Certainty.GUESS or self._speculations:
            self._withhold(event, node, operand)
            return UNKNOWN
        if exceptions and self.trace is not None and self._is_for_values(origin):
            return UNKNOWN
        frame = self.frame
        guard = self._guard(exceptions, frame)
        if guard is not None:
            if not guard.deliberate:
                self._record(
                    SwallowedError,
                    self._at(guard.place),
                    certainty,
                    origin,
                    operand=self._operand(operand, node),
                    exceptions=exceptions,
                    handler=guard.handler,
                    inside=_inside(event, details),
                )
            if certainty is Certainty.SURE:
                # It certainly raises: only the handler goes on.
                frame.ending = Ending.TRACED
                raise Terminated
            return UNKNOWN
        self._record(
            event,
            self.moment(node),
            certainty,
            origin,
            operand=self._operand(operand, node),
            exceptions=exceptions,
            **details,
        )
        if not exceptions or certainty is not Certainty.SURE:
            return UNKNOWN
        if isinstance(value, (Array, Tree)):
            self.signal(ValueRefused(value))
        return REPORTED

    def _is_for_values(self, origin: Origin | None) -> bool:
        """Whether the code at hand is for values: it is not meant to run while something is traced.

        The program has asked whether something is a tracer, or computes what is there to stay.
        The latter may depend on no argument of the trace.
        """
        assumed = self.state.assumed
        if assumed.get(EAGER):
            return True
        if FILLING not in assumed or origin is None:
            return False
        while origin.previous is not None:
            origin = origin.previous
        return origin.note == STAGED

    def signal(self, signal: Signal) -> bool:
        """Tell all who watch that something happens here; the interpreter knows how."""
        raise NotImplementedError

    def _withhold(
        self, event: type[Event], node: cst.CSTNode, operand: cst.CSTNode | str | None
    ) -> None:
        """Say that an event is not told of, unless what is tried out is no program of its own."""
        if event_key(node, event) in self.events:
            return
        if not self._speculations:
            self.omit(Reason.GUESSED, node, operand or node)
        elif self._doubted:
            self.omit(Reason.ALTERNATIVES, node, self._doubted)

    def note(
        self,
        event: type[Event],
        node: cst.CSTNode,
        *,
        operand: cst.CSTNode | str | None = None,
        value: Array | Tree | None = None,
        certain: bool = True,
        origin: Origin | None = None,
        exceptions: tuple[str, ...] = (),
        at: Moment | None = None,
        **details: Any,
    ) -> None:
        """Record what happened at a node of the current code, or ``at`` a former moment.

        ``value`` is the traced value that takes part, if one does.  Unlike ``emit`` this needs
        none; an enclosing ``try`` that would catch what is raised keeps it silent.
        """
        if self._speculations:
            return
        certainty = Certainty.SURE if value is None or not certain else value.certainty
        if certainty is Certainty.GUESS or self._guard(exceptions, self.frame) is not None:
            return
        if value is not None:
            origin = value.origin
        self._record(
            event,
            self.moment(node) if at is None else at,
            certainty if certain else Certainty.DEFAULTED,
            origin,
            operand=self._operand(operand, node),
            exceptions=exceptions,
            **details,
        )

    def withdraw(self, key: tuple[int, str]) -> None:
        """Take an event back: what it tells of does not last after all."""
        self.events.pop(key, None)

    def moment(self, node: cst.CSTNode) -> Moment:
        """A node of the current code, with what an event at it tells besides."""
        return self._at(self.place(node))

    def _at(self, place: Place) -> Moment:
        frame = self.frame
        return Moment(place, frame.qualname, frame.chain, frame.in_test, self.trace_number)

    def _operand(self, operand: cst.CSTNode | str | None, node: cst.CSTNode) -> str:
        return operand if isinstance(operand, str) else self.text(operand or node)

    def _record(
        self,
        event: type[Event],
        moment: Moment,
        certainty: Certainty,
        origin: Origin | None,
        **details: Any,
    ) -> None:
        given = given_at(origin)
        facts = facts_of_given(given)
        if facts:
            details["always"] = details.get("always", frozenset()) | facts
        setting = "" if given is None or given.kind != "bool" else given.name
        if details["operand"] != setting:
            setting = ""
        key = event_key(moment.place.node, event)
        known = self.events.get(key)
        if known is not None:
            if known.setting != setting:
                known = self.events[key] = replace(known, setting="")
                setting = ""
            # Of what happens in several ways only what is common to all counts.
            always = known.always & details.get("always", frozenset())
            if always != known.always:
                known = self.events[key] = replace(known, always=always)
            if always or "always" in details:
                details["always"] = always
            graver = issubclass(event, Effect) and details["traced"] and not known.traced  # type: ignore[attr-defined]
            certain = certainty is Certainty.SURE
            # What always happens explains more than what happens under some value.
            plainer = bool(known.under) and not self.under and known.certain == certain
            plainer = plainer and getattr(known, "traced", None) == details.get("traced")
            surer = known.certain == certain and _is_surer(moment.chain, known.chain[0])
            if not (graver or plainer or surer or (certain and not known.certain)):
                return
        for reason in (Reason.GUESSED, Reason.ALTERNATIVES):
            self.omissions.pop((reason, id(moment.place.node)), None)
        self.events[key] = event(
            place=moment.place,
            function=moment.function,
            chain=(moment.chain, origin),
            certain=certainty is Certainty.SURE,
            in_test=moment.in_test,
            under=self.under,
            setting=setting,
            static_by=self._static_option(),
            **details,
        )

    def _static_option(self) -> str:
        """How the innermost transform that has static arguments takes them."""
        options = (static_option(trace.transform) for trace in self.traces())
        return next(filter(None, options), "")

    def _guard(self, exceptions: tuple[str, ...], frame: Frame) -> TryFrame | None:
        names = {name.rpartition(".")[2] for name in exceptions}
        walk: Frame | None = frame
        while walk is not None:
            for guard in reversed(walk.tries):
                if (guard.reaches or walk is frame) and guard.catches(names):
                    return guard
            walk = walk.parent
        return None

    def is_caught(self, *exceptions: str) -> bool:
        """Whether a ``try`` around the current point catches one of some exceptions."""
        return self._guard(exceptions, self.frame) is not None

    def fails(self, exception: str) -> NoReturn:
        """The program's own error is raised here, whatever it is given: what follows never runs.

        Args:
          exception: its class.

        Raises:
          Terminated: always.
        """
        if not self.is_caught(exception):
            self.frame.ending = Ending.PLAIN
        raise Terminated

    @contextmanager
    def speculating(self, doubted: str = "") -> Iterator[None]:
        """Evaluate one alternative of several: what would be reported of it is not sure.

        Args:
          doubted: what is one of several things when the program runs, in its words; empty where
            something is only tried out.
        """
        self._speculations += 1
        before, self._doubted = self._doubted, doubted if self._speculations == 1 else ""
        try:
            yield
        finally:
            self._speculations -= 1
            self._doubted = before

    def doubt_the_rest(self) -> None:
        """Report nothing of what is still to come of the function at hand: it may never run."""
        self.frame.doubts += 1
        self._speculations += 1

    def leave_doubts(self, frame: Frame) -> None:
        """Report again what there is after a function."""
        self._speculations -= frame.doubts
        frame.doubts = 0

    @contextmanager
    def beside(self, said: tuple[str, ...]) -> Iterator[None]:
        """Run something under other values than those of the program at hand.

        It has a budget of its own, and only what it records stays.

        Args:
          said: these values, in words of the program.
        """
        before = self.state, self.under, self.transformed, self.called
        open_, reported, speculations = self.open, self.reported, self._speculations
        self.state, self.under = self.state.copy(), (*self.under, *said)
        self.transformed, self.called, self.open = dict(self.transformed), {}, dict(self.open)
        try:
            with self.own_steps():
                yield
        finally:
            self.state, self.under, self.transformed, self.called = before
            self.open, self.reported, self._speculations = open_, reported, speculations

    @property
    def is_speculating(self) -> bool:
        """Whether what would be reported is not sure, so that nothing is."""
        return self._speculations > 0

    # -- notes of detectors -------------------------------------------------------------------

    def observations(self, kind: type[_Notes]) -> _Notes:
        """What a detector has noted in this run: an object of a class of its own."""
        found: _Notes | None = self._observations.get(kind)
        if found is None:
            found = self._observations[kind] = kind()
        return found

    def note_in(self, notes: object) -> None:
        """Let a detector go on with other notes of its own class."""
        self._observations[type(notes)] = notes


def _is_surer(chain: Chain | None, known: Chain | None) -> bool:
    """Whether one way to a place rests on no guess, where the one that is known does."""
    return known is not None and known.is_guess and not (chain is not None and chain.is_guess)

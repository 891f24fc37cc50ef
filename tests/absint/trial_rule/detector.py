"""The detector: it would be a file of ``jitlint/absint/detectors``, with one line in a list."""

from __future__ import annotations

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import HostCalled, TransformedCalled, in_state, observes
from jitlint.absint.values.heap import Slot

from .event import UnawaitedTiming


@in_state
class Clock(Slot):
    """Whether a clock was read, and what has been dispatched since then."""

    __slots__ = ("dispatched", "read")

    def __init__(self, *, read: bool = False, dispatched: str = "") -> None:
        self.read = read
        self.dispatched = dispatched

    def join(self, other: Clock) -> Clock:
        return Clock(
            read=self.read and other.read, dispatched=max(self.dispatched, other.dispatched)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clock) and (self.read, self.dispatched) == (
            other.read,
            other.dispatched,
        )

    __hash__ = None  # type: ignore[assignment]


@observes(TransformedCalled)
def _dispatched(it: Interpreter, called: TransformedCalled) -> None:
    if it.slot(Clock).read:
        it.edit_slot(Clock).dispatched = called.function.transform


@observes(HostCalled)
def _acted(it: Interpreter, called: HostCalled) -> None:
    if it.trace is not None:
        return
    clock = it.edit_slot(Clock)
    if called.kind == "clock":
        if clock.dispatched:
            it.note(UnawaitedTiming, called.node, callee=clock.dispatched)
        clock.read = True
    # Who prints a result waits for it.
    clock.dispatched = ""

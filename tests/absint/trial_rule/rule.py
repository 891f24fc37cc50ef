"""The rule: it would be a file of ``jitlint/rules/measurement``, and found there."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule
from jitlint.rules.meta import Example, RuleMeta

from .event import UnawaitedTiming


class TimingWithoutBlockUntilReady(Rule):
    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT499",
        name="trial-timing",
        summary="a clock is read before what was called is done",
        severity=Severity.WARNING,
        why="JAX returns from a jitted call before the device is done.",
        help="Wait first: y.block_until_ready().",
        bad=Example(code="", call=""),
        good=Example(code="", call=""),
        hazard=Hazard("mismeasured"),
        since="0.2.0",
    )
    events: ClassVar[tuple[type[Event], ...]] = (UnawaitedTiming,)

    def describe(self, event: Event) -> tuple[str, str]:
        assert isinstance(event, UnawaitedTiming)
        return "The clock is read while the call may still run.", "Wait for its result first."

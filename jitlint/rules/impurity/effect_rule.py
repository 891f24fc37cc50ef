"""What the rules on state outside the trace share: a leak, or a change that happens once."""

from __future__ import annotations

from abc import abstractmethod

from jitlint.absint.events import Effect, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule

LEAKS = Hazard("leaks")
RUNS_ONCE = Hazard("runs-once")

#: how a sentence on an effect of a cached trace ends
ONCE = "once, while tracing, and not when the compiled function runs"


class EffectRule(Rule):
    """A rule on what is stored outside of the trace.

    A traced value stored there leaks, under every transform.  Anything else is stored once where
    the trace is cached, and on every call where it is not: then there is nothing to report.
    """

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Word the leak or the change that happens once; None where neither occurs."""
        assert isinstance(event, Effect)
        if event.traced:
            return self.leak(event)
        return self.once(event) if event.cached else None

    @abstractmethod
    def leak(self, event: Effect) -> tuple[str, str]:
        """Word a traced value that is stored: a sentence on the fault, one on the remedy."""

    @abstractmethod
    def once(self, event: Effect) -> tuple[str, str]:
        """Word a change that happens once: a sentence on the fault, one on the remedy."""

    def severity(self, event: Event) -> Severity:
        """The rule's own severity for a leak, a warning for what happens once."""
        assert isinstance(event, Effect)
        return super().severity(event) if event.traced else Severity.WARNING

    def hazard(self, event: Event) -> Hazard:
        """What is stored decides: a leak, or a change that runs once."""
        assert isinstance(event, Effect)
        return LEAKS if event.traced else RUNS_ONCE


def condition(event: Event) -> str:
    """The condition under which the value is traced, to follow a verb; empty where it always is."""
    return "" if event.certain else " when a caller passes the argument"


def action_text(action: str) -> str:
    """What changes a container, as the subject of a sentence: `.append()`, an item assignment."""
    if action[:1].isalpha():
        article = "an" if action[0] in "aeiou" else "a"
        return f"{article} {action}"
    return f"`{action}`"

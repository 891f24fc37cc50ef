"""What every rule shares: from an event to a finding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import ModuleType
from typing import ClassVar

from msgspec import Struct

from jitlint.absint.events import Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.meta import RuleMeta

# Longer operands would bury the message; the source frame shows them in full.
_OPERAND_LIMIT = 60
_FINE_IN_TESTS = frozenset({"runs-once", "recompiles"})


class Finding(Struct, frozen=True):
    """An event that a rule reports; the engine turns it into a diagnostic.

    Args:
      meta: the rule.
      message: one sentence on the fault and one on the remedy.
      help: what to do instead, in general.
      severity: of this report.
      hazard: what happens at this place when it runs.
      event: what the finding is made of; it carries the place and the chain.
    """

    meta: RuleMeta
    message: str
    help: str | None
    severity: Severity
    hazard: Hazard | None
    event: Event


class Rule(ABC):
    """Judges the events of some classes.

    Attributes:
      meta: what is said about the rule everywhere.
      events: the classes of events that the rule wants to see.
    """

    meta: ClassVar[RuleMeta]
    events: ClassVar[tuple[type[Event], ...]]

    def check(self, event: Event) -> Finding | None:
        """Judge an event.

        Args:
          event: of one of the classes in ``events``.

        Returns:
          The finding, or None when the event deserves no report.
        """
        wording = self.describe(event)
        if wording is None:
            return None
        fault, remedy = wording
        severity, hazard = self.severity(event), self.hazard(event)
        if event.in_test and severity is Severity.WARNING and hazard is not None:
            # Tests count traces and compile each case on purpose.
            severity = Severity.INFO if hazard.kind in _FINE_IN_TESTS else severity
        return Finding(
            meta=self.meta,
            message=f"{_condition(event)}{fault} {remedy}",
            help=self.meta.help,
            severity=severity,
            hazard=hazard,
            event=event,
        )

    @abstractmethod
    def describe(self, event: Event) -> tuple[str, str] | None:
        """Word an event.

        Args:
          event: of one of the classes in ``events``.

        Returns:
          A sentence on the fault and one on the remedy; None when there is nothing to report.
        """

    def severity(self, event: Event) -> Severity:
        """The rule's severity; an error is lowered to a warning where the event is not certain."""
        if self.meta.severity is Severity.ERROR and not event.certain:
            return Severity.WARNING
        return self.meta.severity

    def hazard(self, event: Event) -> Hazard | None:
        """The rule's hazard, with the exceptions that can occur at this place where it raises."""
        general = self.meta.hazard
        if general is None or general.kind != "raises" or not event.exceptions:
            return general
        return Hazard("raises", event.exceptions)


def _condition(event: Event) -> str:
    """The values other than defaults under which a fault occurs, to open a sentence."""
    return f"With {' and '.join(event.under)}: " if event.under else ""


def rules_in(module: ModuleType) -> list[Rule]:
    """The rules that a module defines; what they are derived from has no metadata of its own."""
    return [
        value()
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Rule)
        and value.__module__ == module.__name__
        and "meta" in vars(value)
    ]


def metas_in(module: ModuleType) -> list[RuleMeta]:
    """The metadata of the rules in a module; what the engine reports by itself has nothing else."""
    own = [value for value in vars(module).values() if isinstance(value, RuleMeta)]
    return own + [rule.meta for rule in rules_in(module)]


def operand_text(event: Event) -> str:
    """The user's expression, quoted and not too long for a message."""
    text = event.operand
    if len(text) > _OPERAND_LIMIT:
        text = text[: _OPERAND_LIMIT - 1].rstrip() + "…"
    return f"`{text}`"


def traced_here(event: Event) -> str:
    """The opening of most messages: what is traced, and under which condition."""
    if event.certain:
        return f"{operand_text(event)} is traced here"
    return f"{operand_text(event)} is traced here when a caller passes the argument"


def unless_resized(resized: bool) -> str:
    """What is said of a value that changes where the next call may be compiled anew, or nothing."""
    return ", unless that passes arrays of another size" if resized else ""


def setting_remedy(event: Event) -> str | None:
    """How a flag is kept out of the trace; None where what is traced is no flag of a caller."""
    if not event.setting or event.static_by == "values":
        return None
    return f"It is a flag: {static_phrase(event, 'it')}."


def static_phrase(event: Event, subject: str) -> str:
    """How something is kept out of the trace at hand, as the rest of a sentence.

    Args:
      event: where it is traced.
      subject: what is to be known while tracing.
    """
    if event.static_by == "values":
        return f"pass {subject} as a Python value, which Equinox leaves as it is"
    if event.static_by:
        return f"make {subject} static (`{event.static_by}`)"
    return f"have {subject} known while tracing"

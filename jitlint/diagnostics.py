"""What jitlint says: the located, renderable form of a finding.

This module is the contract between the engine and every frontend (command line, flake8, editors,
SARIF).  It knows nothing of trees, rules or JAX.  Rows and columns count from 1, columns in code
points, ends are exclusive.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from jitlint.foundation.certainty import GUESSED, SEEN, least
from jitlint.foundation.digests import blake2b


class Severity(enum.IntEnum):
    """How bad a reported place is; ordered, so that thresholds compare."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The lower-case word used in output and configuration."""
        return self.name.lower()

    @classmethod
    def from_label(cls, label: str) -> Severity:
        """Parse ``info``, ``warning`` or ``error``.

        Raises:
          ValueError: for any other word; the message lists the legal ones.
        """
        try:
            return cls[label.upper()]
        except KeyError:
            legal = ", ".join(s.label for s in cls)
            raise ValueError(f"unknown severity {label!r}: expected one of {legal}") from None


class Location(Struct, frozen=True, order=True):
    """A place in a file: ``row`` and ``column`` from 1, ``column`` in code points."""

    row: int
    column: int

    def to_json(self) -> dict[str, int]:
        """The ``{"row": ..., "column": ...}`` object of the JSON format."""
        return {"row": self.row, "column": self.column}


class TraceStep(Struct, frozen=True):
    """One step of the explanation that runs from the transform to the fault.

    Args:
      filename: where it is.
      row: from 1.
      column: from 1, in code points.
      note: what happens there.
      cell: the code cell that the row refers to, where there are cells.
      certainty: how it is known: one of ``foundation.certainty``.
      several: whether it is one of several things that could as well happen there.
    """

    filename: str
    row: int
    column: int
    note: str
    cell: int | None = None
    certainty: str = SEEN
    several: bool = False

    def to_json(self) -> dict[str, Any]:
        """The step as it stands in the JSON format; ``cell`` only where there is one."""
        return {
            "filename": self.filename,
            **({} if self.cell is None else {"cell": self.cell}),
            "row": self.row,
            "column": self.column,
            "note": self.note,
            "certainty": self.certainty,
        }


class Hazard(Struct, frozen=True):
    """What the program does at a reported place when it runs.

    Args:
      kind: raises, leaks, silently-wrong, runs-once, stale, recompiles, unrolls, mismeasured or
        bloats.
      exceptions: for ``raises``, the dotted names of every exception class that can occur.
    """

    kind: str
    exceptions: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The hazard as it stands in the JSON format."""
        return {"kind": self.kind, "exceptions": list(self.exceptions)}


class Applicability(enum.Enum):
    """How far a fix may be trusted.

    Attributes:
      SAFE: the program then does under JAX what it did without it, whatever it is given.
      UNSAFE: it does so in the cases that people mean.
      DISPLAY_ONLY: advice, which is never applied.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY_ONLY = "display-only"


class Edit(Struct, frozen=True):
    """A piece of a file, and what stands in its place.

    Args:
      location: where the piece begins.
      end_location: where it ends; at ``location`` for what is only put in.
      content: the new text; its rows end in a newline, whatever those of the file end in.
      cell: the code cell that rows refer to, where there are cells.
    """

    location: Location
    end_location: Location
    content: str
    cell: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The edit as it stands in the JSON format; ``cell`` only where there is one."""
        return {
            **({} if self.cell is None else {"cell": self.cell}),
            "location": self.location.to_json(),
            "end_location": self.end_location.to_json(),
            "content": self.content,
        }


class Fix(Struct, frozen=True):
    """What removes a report, in the file that it stands in.

    Args:
      message: what it does, in the imperative.
      applicability: how far it may be trusted.
      edits: sorted, none of which touches another.
    """

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]

    def to_json(self) -> dict[str, Any]:
        """The fix as it stands in the JSON format."""
        return {
            "applicability": self.applicability.value,
            "message": self.message,
            "edits": [edit.to_json() for edit in self.edits],
        }


def weaker(one: Fix | None, other: Fix | None) -> Fix | None:
    """Of two fixes of one place the one that promises less; None where they do not agree."""
    if one is None or other is None or one.edits != other.edits:
        return None
    return other if one.applicability is Applicability.SAFE else one


class Diagnostic(Struct, frozen=True):
    """One report, ready for a frontend.

    ``noqa_row`` is the row whose ``# noqa`` comment suppresses it; ``fingerprint`` survives moved
    lines (rule, qualified function, normalised source of the place, occurrence).
    """

    code: str
    name: str
    severity: Severity
    message: str
    help: str | None
    filename: str
    location: Location
    end_location: Location
    function: str | None
    trace: tuple[TraceStep, ...]
    hazard: Hazard | None
    noqa_row: int
    fingerprint: str
    cell: int | None = None
    fix: Fix | None = None

    @property
    def lasting_key(self) -> tuple[str, str, str]:
        """What names it from run to run, also when it has moved: its file, rule and fingerprint."""
        return self.filename, self.code, self.fingerprint

    @property
    def sort_key(self) -> tuple[str, int, int, int, str]:
        """File, (cell,) row, column, code: the order of every output."""
        return (
            self.filename,
            self.cell or 0,
            self.location.row,
            self.location.column,
            self.code,
        )

    @property
    def guess(self) -> TraceStep | None:
        """The step of the explanation that is a guess, the first one; None if all are known."""
        return guess_in(self.trace)

    @property
    def certainty(self) -> str:
        """How what led here is known: as the least certain of the steps."""
        return least(step.certainty for step in self.trace)

    @property
    def rests_on_one_of_several(self) -> bool:
        """Whether it holds of one of several objects alone that may be called on the way."""
        return any(step.several for step in self.trace)

    def to_json(self, url: str | None = None) -> Mapping[str, Any]:
        """The diagnostic as an object of ``--output-format json``.

        Args:
          url: the address of its rule's page.
        """
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity.label,
            "certainty": self.certainty,
            "message": self.message,
            "help": self.help,
            "filename": self.filename,
            "cell": self.cell,
            "location": self.location.to_json(),
            "end_location": self.end_location.to_json(),
            "function": self.function,
            "trace": [step.to_json() for step in self.trace],
            "hazard": None if self.hazard is None else self.hazard.to_json(),
            "fix": None if self.fix is None else self.fix.to_json(),
            "noqa_row": self.noqa_row,
            "fingerprint": self.fingerprint,
            "url": url,
        }


def numbered(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort reports and finish their fingerprints.

    Args:
      diagnostics: reports whose fingerprint is what equal places share.

    Returns:
      The reports; those that share a fingerprint are told apart by their order in the file.
    """
    occurrences: Counter[tuple[str, str]] = Counter()
    found = []
    for diagnostic in sorted(diagnostics, key=lambda d: d.sort_key):
        base = diagnostic.fingerprint
        # For each file by itself: scripts of one name must not depend on which of them is linted.
        occurrences[diagnostic.filename, base] += 1
        text = f"{base}\0{occurrences[diagnostic.filename, base]}"
        digest = blake2b(text.encode(), digest_size=12)
        found.append(replace(diagnostic, fingerprint=digest.hexdigest()))
    return tuple(found)


def guess_in(trace: Iterable[TraceStep]) -> TraceStep | None:
    """The first step of an explanation that is a guess."""
    return next((step for step in trace if step.certainty == GUESSED), None)


class TracedFunctionReport(Struct, frozen=True):
    """One line of ``jitlint traced``: a function that JAX will trace, and why."""

    filename: str
    row: int
    qualname: str
    transform: str
    parameters: Mapping[str, str]
    trace: tuple[TraceStep, ...]
    cell: int | None = None

    def to_json(self) -> Mapping[str, Any]:
        """The entry as it stands in ``jitlint traced --output-format json``."""
        return {
            "filename": self.filename,
            **({} if self.cell is None else {"cell": self.cell}),
            "row": self.row,
            "qualname": self.qualname,
            "transform": self.transform,
            "parameters": dict(self.parameters),
            "trace": [step.to_json() for step in self.trace],
        }


class OmissionReport(Struct, frozen=True, order=True):
    """Something that was not analysed although JAX traces it.

    Args:
      reason: why, as a word that programs may compare.
      message: the same as a sentence.
      function: the qualified name of the function around it.
    """

    filename: str
    row: int
    column: int
    reason: str
    message: str
    function: str
    cell: int | None = None

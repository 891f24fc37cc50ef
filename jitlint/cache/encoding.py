"""Reports as lists that JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitlint.diagnostics import Diagnostic, Hazard, Location, Severity, TraceStep


def encode(item: Diagnostic) -> list[Any]:
    """A report as a list."""
    hazard = item.hazard
    return [
        item.code,
        item.name,
        int(item.severity),
        item.message,
        item.help,
        item.filename,
        item.location.row,
        item.location.column,
        item.end_location.row,
        item.end_location.column,
        item.function,
        [[step.filename, step.row, step.column, step.note, step.cell] for step in item.trace],
        None if hazard is None else [hazard.kind, list(hazard.exceptions)],
        item.noqa_row,
        item.fingerprint,
        item.cell,
    ]


def decode(row: Sequence[Any]) -> Diagnostic:
    """The report that :func:`encode` made a list of.

    Raises:
      ValueError, TypeError, LookupError: it is no such list.
    """
    (
        code, name, severity, message, help_, filename, first, column, last, end, function, trace,
        hazard, noqa_row, fingerprint, cell,
    ) = row  # fmt: skip
    return Diagnostic(
        code=code,
        name=name,
        severity=Severity(severity),
        message=message,
        help=help_,
        filename=filename,
        location=Location(first, column),
        end_location=Location(last, end),
        function=function,
        trace=tuple(TraceStep(*step) for step in trace),
        hazard=None if hazard is None else Hazard(hazard[0], tuple(hazard[1])),
        noqa_row=noqa_row,
        fingerprint=fingerprint,
        cell=cell,
    )

"""Reports as lists that JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitlint.diagnostics import (
    Applicability,
    Diagnostic,
    Edit,
    Fix,
    Hazard,
    Location,
    Severity,
    TraceStep,
)


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
        None if item.fix is None else _encode_fix(item.fix),
    ]


def decode(row: Sequence[Any]) -> Diagnostic:
    """The report that :func:`encode` made a list of.

    Raises:
      ValueError, TypeError, LookupError: it is no such list.
    """
    (
        code, name, severity, message, help_, filename, first, column, last, end, function, trace,
        hazard, noqa_row, fingerprint, cell, fix,
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
        fix=None if fix is None else _decode_fix(*fix),
    )


def _encode_fix(fix: Fix) -> list[Any]:
    edits = [
        [
            edit.location.row,
            edit.location.column,
            edit.end_location.row,
            edit.end_location.column,
            edit.content,
            edit.cell,
        ]
        for edit in fix.edits
    ]
    return [fix.message, fix.applicability.value, edits]


def _decode_fix(message: str, applicability: str, edits: Sequence[Sequence[Any]]) -> Fix:
    return Fix(
        message,
        Applicability(applicability),
        tuple(
            Edit(Location(row, column), Location(end_row, end_column), content, cell)
            for row, column, end_row, end_column, content, cell in edits
        ),
    )

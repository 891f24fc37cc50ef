"""Reports on input that cannot be analysed at all, as the engine would give them for a file."""

from __future__ import annotations

from collections.abc import Iterable

from jitlint.diagnostics import Diagnostic, Location, numbered
from jitlint.source.document import DecodeFailure, Document, is_document


def broken_cells(document: Document | None) -> list[Diagnostic]:
    """Reports on the parts of a document that are no Python, where it is about JAX at all."""
    if document is None or not document.broken:
        return []
    from jitlint.tracing.markers import has_marker

    concerned = not is_document(document.path) or has_marker(document.text)
    return undecodable(document.broken) if concerned else []


def undecodable(failures: Iterable[DecodeFailure]) -> list[Diagnostic]:
    """The JIT901s for what is no Python text, or for what is none of one document."""
    return [*numbered(map(_report, failures))]


def _report(failure: DecodeFailure) -> Diagnostic:
    from jitlint.rules.internal import syntax_error

    rule = syntax_error.META
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=failure.message,
        help=rule.help,
        filename=str(failure.path),
        location=Location(failure.row, failure.column),
        end_location=Location(failure.row, failure.column + 1),
        function=None,
        trace=(),
        hazard=None,
        noqa_row=failure.row,
        fingerprint="\0".join((rule.code, failure.path.name, "", failure.message)),
    )

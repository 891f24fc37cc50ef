"""Reports as the protocol writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lsprotocol import types

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.integrations.server.positions import Encoding, position
from jitlint.rules.addresses import page_address
from jitlint.rules.docs import page
from jitlint.rules.registry import find

SOURCE = "jitlint"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}

#: of a file, or of a cell of a notebook
Lines = Callable[[str, int | None], Sequence[str] | None]


class Renderer:
    """Turns reports into diagnostics of the protocol.

    Args:
      encoding: how the client counts columns.
      lines_of: the lines of a file or of a cell of it, None where it cannot be read.
      uri_of: the URI of a file or of a cell.
      related: whether the client shows related information; if not, the message tells the chain.
    """

    def __init__(
        self,
        encoding: Encoding,
        lines_of: Lines,
        uri_of: Callable[[str, int | None], str],
        *,
        related: bool = True,
    ) -> None:
        self._encoding = encoding
        self._lines_of = lines_of
        self._uri_of = uri_of
        self._related = related

    def diagnostic(self, item: Diagnostic) -> types.Diagnostic:
        """One report."""
        message = item.message
        if not self._related and item.trace:
            steps = (
                f"{step.filename}:{step.row}:{step.column}: {step.note}" for step in item.trace
            )
            message = "\n".join([message, *(f"why: {step}" for step in steps)])
        url = page_address(item.code) or _reference(item.code)
        return types.Diagnostic(
            range=self.range(item),
            message=message,
            severity=_SEVERITIES[item.severity],
            code=item.code,
            code_description=None if url is None else types.CodeDescription(url),
            source=SOURCE,
            related_information=list(self._chain(item)) if self._related and item.trace else None,
            data={"name": item.name, "fingerprint": item.fingerprint},
        )

    def range(self, item: Diagnostic) -> types.Range:
        """Where a report stands."""
        lines = self._lines_of(item.filename, item.cell) or ()
        start, end = item.location, item.end_location
        return types.Range(
            position(lines, start.row, start.column, self._encoding),
            position(lines, end.row, end.column, self._encoding),
        )

    def _chain(self, item: Diagnostic) -> Iterable[types.DiagnosticRelatedInformation]:
        """The steps from the transform to the fault, in order."""
        for step in item.trace:
            lines = self._lines_of(step.filename, step.cell)
            if lines is None:
                # Gone meanwhile; the column is a guess, the row is right.
                at = types.Position(step.row - 1, step.column - 1)
            else:
                at = position(lines, step.row, step.column, self._encoding)
            where = types.Location(self._uri_of(step.filename, step.cell), types.Range(at, at))
            yield types.DiagnosticRelatedInformation(where, step.note)


def rule_pages(codes: Iterable[str]) -> str:
    """The pages of some rules, each once, as Markdown."""
    rules = [rule for rule in map(find, dict.fromkeys(codes)) if rule is not None]
    return "\n---\n\n".join(page(rule) for rule in rules)


def _reference(code: str) -> str | None:
    """Where more is said about a rule."""
    rule = find(code)
    return rule.references[0] if rule is not None and rule.references else None

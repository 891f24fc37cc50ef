"""The texts of what was linted, and where reports on them stand in the files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from jitlint.diagnostics import (
    Diagnostic,
    Fix,
    Location,
    OmissionReport,
    TracedFunctionReport,
    TraceStep,
)
from jitlint.run.edit_places import placed
from jitlint.source.decoding import read_document
from jitlint.source.document import DecodeFailure, Document, is_document, split_lines


@dataclass
class SourceTexts:
    """The texts of linted files for renderers and suppressions, each read once.

    Args:
      given: what stands in for files.
    """

    given: Mapping[Path, Document] = field(default_factory=dict)
    _documents: dict[str, Document | None] = field(default_factory=dict)

    def text(self, filename: str) -> str | None:
        """The Python of a file, None where it cannot be read or decoded."""
        document = self.document(filename)
        return None if document is None else document.text

    def document(self, filename: str) -> Document | None:
        """The document of a file, None where it cannot be read or decoded."""
        if filename not in self._documents:
            self._documents[filename] = self._read(Path(filename))
        return self._documents[filename]

    def written(self, item: Diagnostic) -> Sequence[str] | None:
        """The lines that a located report's rows refer to: of its cell, or of the whole file."""
        document = self.document(item.filename)
        return None if document is None else document.written(item.cell)

    def located(self, reports: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Reports with their places in the files, where the engine saw only the Python of them."""
        return sorted((self._located(item) for item in reports), key=lambda item: item.sort_key)

    def located_functions(
        self, found: Sequence[TracedFunctionReport]
    ) -> Sequence[TracedFunctionReport]:
        """As :meth:`located`, for traced functions."""
        return [self._located_function(item) for item in found]

    def located_omissions(self, found: Sequence[OmissionReport]) -> Sequence[OmissionReport]:
        """As :meth:`located`, for what was left out."""
        return [self._located_omission(item) for item in found]

    def _located(self, item: Diagnostic) -> Diagnostic:
        trace = self._located_steps(item.trace)
        document = self._origins(item.filename)
        if document is None:
            return item if trace is item.trace else replace(item, trace=trace)
        cell, row, column = document.origin(item.location.row, item.location.column)
        _, end_row, end_column = document.origin(item.end_location.row, item.end_location.column)
        _, noqa_row, _ = document.origin(item.noqa_row, 1)
        return replace(
            item,
            cell=cell,
            location=Location(row, column),
            end_location=Location(end_row, end_column),
            noqa_row=noqa_row,
            trace=trace,
            fix=_located_fix(document, item.fix),
        )

    def _located_function(self, item: TracedFunctionReport) -> TracedFunctionReport:
        trace = self._located_steps(item.trace)
        document = self._origins(item.filename)
        if document is None:
            return item if trace is item.trace else replace(item, trace=trace)
        cell, row, _ = document.origin(item.row, 1)
        return replace(item, cell=cell, row=row, trace=trace)

    def _located_omission(self, item: OmissionReport) -> OmissionReport:
        document = self._origins(item.filename)
        if document is None:
            return item
        cell, row, column = document.origin(item.row, item.column)
        return replace(item, cell=cell, row=row, column=column)

    def _located_steps(self, steps: tuple[TraceStep, ...]) -> tuple[TraceStep, ...]:
        if not any(self._may_have_origins(step.filename) for step in steps):
            return steps
        found = []
        for step in steps:
            document = self._origins(step.filename)
            if document is None:
                found.append(step)
                continue
            cell, row, column = document.origin(step.row, step.column)
            found.append(replace(step, cell=cell, row=row, column=column))
        return tuple(found)

    def _origins(self, filename: str) -> Document | None:
        """The document of a file whose Python stands elsewhere than in the text that was linted."""
        document = self.document(filename) if self._may_have_origins(filename) else None
        return document if document is not None and document.origins else None

    def _may_have_origins(self, filename: str) -> bool:
        path = Path(filename)
        return path in self.given or is_document(path)

    def lines(self, filename: str) -> Sequence[str] | None:
        """The lines of a file, None where it cannot be read or decoded."""
        text = self.text(filename)
        return None if text is None else split_lines(text)

    def _read(self, path: Path) -> Document | None:
        given = self.given.get(path)
        if given is not None:
            return given
        try:
            document = read_document(path)
        except OSError:
            return None
        return None if isinstance(document, DecodeFailure) else document


def _located_fix(document: Document, fix: Fix | None) -> Fix | None:
    """A fix with its edits where they are in the file; None where it would not be one of code.

    Examples in docstrings are their authors' to write.
    """
    if fix is None or not is_document(document.path):
        return None
    try:
        return replace(fix, edits=tuple(placed(document, edit) for edit in fix.edits))
    except ValueError:
        return None

"""Explained tracebacks, for people: the error, the user's line, why, and what to do."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.foundation.phrases import counted, printable
from jitlint.output import full
from jitlint.output.colors import Painter
from jitlint.output.report import Report
from jitlint.source.file_names import shown_name, shown_place
from jitlint.tracebacks.explanation import Explanation, Place

LinesOf = Callable[[Path], Sequence[str] | None]

_WIDTH = 88
# A row beyond this is no row of a file that somebody wrote.
_LAST_ROW = 1_000_000
_MOST_OTHERS = 5


def render(
    explained: Sequence[Explanation],
    lines_of: LinesOf,
    folder: Path,
    painter: Painter,
    *,
    summary: bool,
) -> Iterator[str]:
    """Yield the lines of the format, without their ends.

    Args:
      explained: the errors.
      lines_of: the lines of a file.
      folder: names of files are shown relative to it.
      painter: colours.
      summary: whether to close with a line that counts.
    """
    for item in explained:
        yield painter.aside(printable(item.raised.headline) or "an error")
        yield from _explained(item, lines_of, folder, painter)
        yield ""
    if summary:
        known = sum(bool(item.rules) for item in explained)
        text = f"{counted(len(explained), 'error')}: "
        text += "all of them a rule's" if known == len(explained) else f"{known} of them a rule's"
        if len(explained) == 1:
            text = "1 error: " + ("a rule speaks of it" if known else "no rule speaks of it")
        yield f"{text}."


def _explained(
    item: Explanation, lines_of: LinesOf, folder: Path, painter: Painter
) -> Iterator[str]:
    diagnostic = item.diagnostic()
    if diagnostic is None:
        head = painter.severity(f"error[{item.codes}]", Severity.ERROR)
        yield f"{head}{painter.name(f': {printable(item.meaning)}')}"
        if item.help:
            yield from _note("help", item.help, painter)
    else:
        report = Report(
            diagnostics=[diagnostic],
            lines_of=lambda shown: _lines(shown, item.place, lines_of),
            folder=folder,
            summary=False,
        )
        yield from full.frames(report, painter)
    for label, text in _notes(item, diagnostic, folder):
        yield from _note(label, text, painter)


def _notes(
    item: Explanation, diagnostic: Diagnostic | None, folder: Path
) -> Iterator[tuple[str, str]]:
    """What is said below the source."""
    if item.tracing is not None and item.report is None:
        yield "jax", f"{item.tracing}."
    place = item.place
    if place is None:
        yield "line", "the text names no line of your own code."
    elif item.report is None:
        yield "check", _silence(item, place)
    elif item.kind is not None and item.kind.leak:
        yield "check", "'jitlint check' reports this line."
    elif item.report.location.row != place.row or item.report.filename != place.filename:
        where = shown_place(place.filename, None, (place.row, place.column or 1), folder)
        yield "line", f"the traceback points to {where}; 'jitlint check' reports the cause."
    else:
        yield "check", "'jitlint check' reports this line."
    used = item.raised_at
    if item.kind is not None and item.kind.leak and used is not None:
        where = f"{shown_name(used.filename, folder)}:{used.row}"
        yield "used", f"the value that was kept is used at {where}, which raises the error."
    if item.library is not None:
        inner = item.library
        where = f"{Path(inner.filename).name}:{inner.row}"
        inside = f" in {inner.function}" if inner.function else ""
        yield "raised", f"in a library that this line calls: {where}{printable(inside)}."
    for other in item.others[:_MOST_OTHERS]:
        row = f"{shown_name(other.filename, folder)}:{other.location.row}"
        yield "also", f"{row}: {other.code} {other.message}"
    if item.rules:
        shown = " or ".join(f"'jitlint explain {rule.code}'" for rule in item.rules[:3])
        yield "more", f"{shown}."
    elif item.kind is not None:
        yield "rule", "no rule of jitlint speaks of this: it is not about values while tracing."


def _silence(item: Explanation, place: Place) -> str:
    if place.changed:
        return "the file here has another line at that place: it has changed since."
    if not place.on_disk:
        return "the file is not on this machine; the source is that of the traceback."
    if item.rules and item.kind is not None and not item.kind.leak:
        return "'jitlint check' does not report this line."
    return "'jitlint check' reports nothing there that could raise this."


def _lines(shown: Diagnostic, place: Place | None, lines_of: LinesOf) -> Sequence[str] | None:
    """The source of a place: of its file, or as far as the traceback shows it."""
    if place is None or place.on_disk or shown.filename != place.filename:
        return lines_of(Path(shown.filename))
    known = dict(place.lines)
    last = max(known, default=0)
    if not known or last > _LAST_ROW:
        return None
    return [known.get(row, "") for row in range(1, last + 1)]


def _note(label: str, text: str, painter: Painter) -> Iterator[str]:
    first, *rest = textwrap.wrap(printable(text), _WIDTH, break_on_hyphens=False) or [""]
    yield f"  {painter.frame('=')} {painter.label(f'{label}:')} {first}"
    yield from (f"  {' ' * len(f'= {label}: ')}{line}" for line in rest)

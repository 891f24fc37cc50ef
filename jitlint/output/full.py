"""The format for people: message, source with a caret, why the value is traced, what to do.

::

    error[JIT101]: `loss < best` is traced here: `if` needs a Python bool
      --> train.py:8:8 in train_step
       |
     7 |     loss = loss_fn(params)
     8 |     if loss < best:
       |        ^^^^^^^^^^^
     9 |         best = loss
       |
       = why: train.py:3:2: traced by jax.jit
       |      train.py:5:16: `params` is an argument
       = help: use `jnp.where` or `jax.lax.cond`
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence

from jitlint.diagnostics import Applicability, Diagnostic, Fix, TraceStep
from jitlint.foundation.phrases import printable
from jitlint.output.colors import Painter
from jitlint.output.report import Report, summary_lines
from jitlint.output.suspicions import places, suspicions
from jitlint.source.file_names import shown_place

_CONTEXT = 1
_TAB = "    "
# Wider than this, a line is cut around the place: generated files have lines of megabytes.
_WIDTH = 120
_CUT = "..."
_PROSE_WIDTH = 88
# A longer chain of calls is shown by its two ends.
_LONGEST_CHAIN = 12
_CHAIN_END = 4


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    paint = Painter(report.color)
    for suspicion in suspicions(report.diagnostics):
        yield from _diagnostic(suspicion[0], report, paint, also=places(suspicion))
        yield ""
    if report.summary:
        yield from summary_lines(report)


def frames(report: Report, paint: Painter) -> Iterator[str]:
    """Yield the reports alone, without lines between or after them."""
    for item in report.diagnostics:
        yield from _diagnostic(item, report, paint)


def _diagnostic(item: Diagnostic, report: Report, paint: Painter, also: str = "") -> Iterator[str]:
    head = paint.severity(f"{item.severity.label}[{item.code}]", item.severity)
    mark = " [*]" if report.is_fixable(item) else ""
    yield f"{head}{mark}{paint.name(f': {printable(item.message)}')}"
    lines = report.lines_of(item) or ()
    first = max(1, item.location.row - _CONTEXT)
    last = min(len(lines), item.location.row + _CONTEXT)
    gutter = len(str(max(last, item.location.row)))
    bar = paint.frame(" " * gutter + " |")

    start = (item.location.row, item.location.column)
    place = shown_place(item.filename, item.cell, start, report.folder)
    inside = paint.aside(f" in {printable(item.function)}") if item.function else ""
    yield f"{paint.frame(' ' * gutter + '-->')} {place}{inside}"

    if item.location.row <= len(lines):
        yield bar
        yield from _frame(item, lines, range(first, last + 1), gutter, bar, paint)
        yield bar
    margin = " " * gutter
    if item.trace:
        yield from _why(item.trace, report, margin, paint)
    if item.help:
        texts = [
            part
            for line in item.help.splitlines()
            for part in textwrap.wrap(printable(line), _PROSE_WIDTH, break_on_hyphens=False)
        ]
        yield from _note("help", texts, margin, paint)
    if item.fix is not None:
        yield from _note("fix", _fix_texts(item.fix), margin, paint)
    if also:
        told = textwrap.wrap(f"on the same guess rest those at {also}", _PROSE_WIDTH)
        yield from _note("also", told, margin, paint)


def _fix_texts(fix: Fix) -> list[str]:
    """What a fix would do, and how far it may be trusted."""
    trust = "" if fix.applicability is Applicability.SAFE else f" ({fix.applicability.value})"
    return textwrap.wrap(f"{printable(fix.message)}{trust}", _PROSE_WIDTH, break_on_hyphens=False)


def _frame(
    item: Diagnostic, lines: Sequence[str], rows: range, gutter: int, bar: str, paint: Painter
) -> Iterator[str]:
    """The reported line between its neighbours, with a caret under the place."""
    line = lines[item.location.row - 1]
    start = min(item.location.column - 1, len(line))
    same_row = item.end_location.row == item.location.row
    end = min(item.end_location.column - 1, len(line)) if same_row else len(line.rstrip())
    left, right = _window(line, start, end)
    for row in rows:
        text = _cut(lines[row - 1], left, right)
        # A blank neighbour says nothing at either end of the frame.
        if not text.strip() and row != item.location.row:
            continue
        number = paint.frame(f"{row:>{gutter}} |")
        yield f"{number} {_expand(text)}".rstrip()
        if row == item.location.row:
            cut = _CUT if left else ""
            before = _columns(_expand(cut + line[left:start]))
            marked = _columns(_expand(line[start : min(end, right)]))
            caret = paint.severity("^" * max(1, marked), item.severity)
            yield f"{bar} {' ' * before}{caret}"


def _window(line: str, start: int, end: int) -> tuple[int, int]:
    """The part of a line to show, as offsets: all of it, or some width around the place."""
    if len(line) <= _WIDTH:
        return 0, _WIDTH
    if end <= _WIDTH - len(_CUT):
        return 0, _WIDTH
    left = max(0, min(start - _WIDTH // 4, end - _WIDTH // 2))
    return left, left + _WIDTH


def _cut(line: str, left: int, right: int) -> str:
    before = _CUT if left and len(line) > left else ""
    after = _CUT if len(line) > right else ""
    return f"{before}{line[left:right]}{after}"


def _expand(text: str) -> str:
    """Source as it is shown: a tab at its usual width, nothing that steers a terminal."""
    return printable(text).replace("\t", _TAB)


def _columns(text: str) -> int:
    """How many terminal columns a text takes."""
    if text.isascii():
        return len(text)
    width = 0
    for character in text:
        if unicodedata.combining(character):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def _why(steps: Sequence[TraceStep], report: Report, margin: str, paint: Painter) -> Iterator[str]:
    """The chain from the transform to the value."""
    texts = [
        f"{paint.aside(f'{_step_place(step, report)}:')} {printable(step.note)}" for step in steps
    ]
    if len(texts) > _LONGEST_CHAIN:
        left_out = len(texts) - 2 * _CHAIN_END
        texts[_CHAIN_END:-_CHAIN_END] = [paint.aside(f"({left_out} more steps)")]
    yield from _note("why", texts, margin, paint)


def _step_place(step: TraceStep, report: Report) -> str:
    return shown_place(step.filename, step.cell, (step.row, step.column), report.folder)


def _note(label: str, texts: Sequence[str], margin: str, paint: Painter) -> Iterator[str]:
    """A labelled text below the frame; further lines align with the first."""
    for number, text in enumerate(texts):
        if number:
            yield f"{margin} {' ' * len(f'= {label}: ')}{text}"
        else:
            yield f"{margin} {paint.frame('=')} {paint.label(f'{label}:')} {text}"

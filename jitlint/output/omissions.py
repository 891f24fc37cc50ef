"""What of the traced code was not analysed, for ``--verbose``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from jitlint.diagnostics import Diagnostic, OmissionReport
from jitlint.foundation.phrases import counted, printable
from jitlint.source.file_names import shown_place

#: places that are listed of each reason
_LISTED = 20


def render(omissions: Sequence[OmissionReport], folder: Path) -> Iterator[str]:
    """Yield the lines of a short list, without their ends.

    Args:
      omissions: what was left out, in order.
      folder: names of files are shown relative to it.
    """
    if not omissions:
        yield "Everything that was recognised as traced was analysed."
        return
    reasons: dict[str, list[OmissionReport]] = defaultdict(list)
    for item in omissions:
        reasons[item.reason].append(item)
    yield f"Not analysed, although JAX traces it: {counted(len(omissions), 'place')}."
    for reason, found in sorted(reasons.items()):
        for item in found[:_LISTED]:
            where = shown_place(item.filename, item.cell, (item.row, item.column), folder)
            inside = f" (in `{item.function}`)" if item.function else ""
            yield printable(f"{where}: {reason}: {item.message}{inside}")
        if len(found) > _LISTED:
            yield f"... and {len(found) - _LISTED} more of {reason}"


def render_guesses(withheld: Sequence[Diagnostic], folder: Path) -> Iterator[str]:
    """Yield the lines on what holds of one of several objects alone, without their ends.

    Args:
      withheld: the reports, in order.
      folder: names of files are shown relative to it.
    """
    for item in withheld:
        guess = next(step.note for step in item.trace if step.several)
        yield printable(
            f"{_where(item, folder)}: guess: {item.code} is an info (--min-severity info): {guess}"
        )


def render_trusted(withheld: Sequence[Diagnostic], folder: Path) -> Iterator[str]:
    """Yield the lines on errors that are left to the project's tests, without their ends.

    Args:
      withheld: the reports, in order.
      folder: names of files are shown relative to it.
    """
    for item in withheld:
        test = shown_place(item.trace[0].filename, None, (item.trace[0].row, 1), folder)
        said = f"trust-tests: {item.code} was withheld, a test runs it: {test}"
        yield printable(f"{_where(item, folder)}: {said}")


def _where(item: Diagnostic, folder: Path) -> str:
    start = item.location.row, item.location.column
    return shown_place(item.filename, item.cell, start, folder)

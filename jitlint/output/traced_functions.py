"""The list that ``jitlint traced`` prints for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from jitlint.diagnostics import TracedFunctionReport
from jitlint.foundation.phrases import counted, printable
from jitlint.jaxmodel.wording import tracers_text
from jitlint.output.colors import Painter
from jitlint.source.file_names import shown_name, shown_place


def render(
    traced: Sequence[TracedFunctionReport], folder: Path, paint: Painter, *, summary: bool
) -> Iterator[str]:
    """Yield the lines of the list, without their ends.

    Args:
      traced: the functions, in order.
      folder: names of files are shown relative to it.
      paint: colours, or none.
      summary: whether to close with a line that counts.

    Yields:
      For each function its place, name and transform, its parameters, and the chain.
    """
    for item in traced:
        inside = "" if item.cell is None else f":cell {item.cell}"
        place = f"{shown_name(item.filename, folder)}{inside}:{item.row}:"
        by = printable(tracers_text(item.transform))
        yield f"{place} {paint.name(printable(item.qualname))} by {by}"
        if item.parameters:
            kinds = (f"{name} {kind}" for name, kind in item.parameters.items())
            yield f"    parameters: {', '.join(kinds)}"
        for number, step in enumerate(item.trace):
            label = "why:" if number == 0 else "    "
            where = f"{shown_place(step.filename, step.cell, (step.row, step.column), folder)}:"
            yield f"    {paint.label(label)} {paint.aside(where)} {printable(step.note)}"
    if summary:
        files = len({item.filename for item in traced})
        yield f"{counted(len(traced), 'traced function')} in {counted(files, 'file')}."

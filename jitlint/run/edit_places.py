"""Where the edits of a fix are in notebooks, Markdown and the like."""

from __future__ import annotations

from jitlint.diagnostics import Edit, Location
from jitlint.source.document import Document


def placed(document: Document, edit: Edit) -> Edit:
    """An edit of the Python of a document, as one of the file.

    Args:
      document: what is edited.
      edit: with its place in the Python.

    Raises:
      ValueError: it is not within one piece of code.
    """
    start, end, content = edit.location, edit.end_location, edit.content
    rows_added = start == end and start.column == 1 and content.endswith("\n")
    if rows_added and start.row > 1 and _is_code(document, start.row - 1):
        # Behind the row before it, which is of the same cell for sure.
        start = end = Location(start.row - 1, len(document.line(start.row - 1)) + 1)
        content = f"\n{content[:-1]}"
    origins = document.origins or ()
    rows = range(start.row, end.row + 1)
    if end.row > len(origins) or not all(_is_code(document, row) for row in rows):
        raise ValueError("it reaches beyond the code")
    first, last = origins[start.row - 1], origins[end.row - 1]
    if first.cell != last.cell or last.row - first.row != end.row - start.row:
        raise ValueError("it reaches beyond one cell")
    indent = document.written(first.cell)[first.row - 1][: first.shift]
    if "\n" in content:
        if indent.strip():
            raise ValueError("it needs rows of its own behind a prompt")
        content = content.replace("\n", f"\n{indent}")
    return Edit(
        Location(first.row, start.column + first.shift),
        Location(last.row, end.column + last.shift),
        content,
        first.cell,
    )


def _is_code(document: Document, row: int) -> bool:
    """Whether a row of the Python is written so in the file."""
    origins = document.origins or ()
    if not 1 <= row <= len(origins):
        return False
    origin, written = origins[row - 1], document.written(origins[row - 1].cell)
    if origin.shift < 0 or origin.row > len(written):
        return False
    return written[origin.row - 1][origin.shift :] == document.line(row)

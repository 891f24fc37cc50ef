"""What the editor can do about a report: apply its fix, or silence it with a comment."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lsprotocol import types

from jitlint.diagnostics import Applicability, Diagnostic
from jitlint.fixes.application import fixable_together
from jitlint.integrations.server.open_documents import OpenDocument
from jitlint.integrations.server.positions import Encoding, position
from jitlint.rules.codes import OWN_FAMILY
from jitlint.source.document import split_lines
from jitlint.source.noqa_comments import add_comments

#: the kind of the action that editors may run when they save a file
FIX_ALL = "source.fixAll.jitlint"
#: how a fix's own word for it reads in a menu; what is only to be shown is not offered
_APPLICABILITY = {"safe": "", "unsafe": " (may change what the code does)"}


def actions(
    document: OpenDocument,
    item: Diagnostic,
    shown: types.Diagnostic,
    encoding: Encoding,
    cells: Mapping[int | None, OpenDocument],
) -> Iterator[types.CodeAction]:
    """Yield what can be done about a report.

    Args:
      document: the text that the report is about.
      item: the report.
      shown: the report as the client knows it.
      encoding: the client's.
      cells: what edits may be about, by the number of the cell.

    Yields:
      The actions, the best first.
    """
    fix = item.to_json()["fix"]
    edit = None
    if fix is not None and fix["applicability"] in _APPLICABILITY:
        edit = _edits_of([fix], cells, encoding)
    if edit is not None:
        yield types.CodeAction(
            title=f"{fix['message']}{_APPLICABILITY[fix['applicability']]}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=fix["applicability"] == "safe",
            edit=edit,
        )
    edits = None if item.code.startswith(OWN_FAMILY) else _suppression(document, item, encoding)
    if edits:
        yield types.CodeAction(
            title=f"Silence {item.code} here with a # noqa comment",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            edit=_edit(document, edits),
        )
    if edits and document.language == "python":
        start = position(document.lines, _first_row(document.lines), 1, encoding)
        comment = types.TextEdit(types.Range(start, start), f"# flake8: noqa: {item.code}\n")
        yield types.CodeAction(
            title=f"Silence {item.code} in this file",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            edit=_edit(document, [comment]),
        )


def fix_all(
    found: Iterable[Diagnostic], encoding: Encoding, cells: Mapping[int | None, OpenDocument]
) -> Iterator[types.CodeAction]:
    """Yield the action that applies all safe fixes of a document which go together, if any.

    Args:
      found: all reports on it.
      encoding: the client's.
      cells: what edits may be about, by the number of the cell.
    """
    safe = [it for it in found if it.fix and it.fix.applicability is Applicability.SAFE]
    fixes = [it.to_json()["fix"] for it in fixable_together(safe)]
    edit = _edits_of(fixes, cells, encoding) if fixes else None
    if edit is not None:
        yield types.CodeAction(title="Apply all safe fixes of jitlint", kind=FIX_ALL, edit=edit)


def _first_row(lines: Sequence[str]) -> int:
    """The first row that may hold a comment of ours: interpreters and encodings stand above."""
    heads = (line.startswith("#!") or "coding" in line for line in lines[:2])
    return 1 + sum(line.startswith("#") and head for line, head in zip(lines, heads, strict=False))


def _edit(document: OpenDocument, edits: Sequence[types.TextEdit]) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(changes={document.uri: edits})


def _edits_of(
    fixes: Iterable[Mapping[str, Any]],
    cells: Mapping[int | None, OpenDocument],
    encoding: Encoding,
) -> types.WorkspaceEdit | None:
    """The edits of some fixes; None where one is about a text that is not at hand."""
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in (edit for fix in fixes for edit in fix["edits"]):
        document = cells.get(edit.get("cell"))
        if document is None:
            return None
        start, end = edit["location"], edit["end_location"]
        span = types.Range(
            position(document.lines, start["row"], start["column"], encoding),
            position(document.lines, end["row"], end["column"], encoding),
        )
        made = types.TextEdit(span, edit["content"])
        edits = changes.setdefault(document.uri, [])
        if made not in edits:
            # What two fixes both put in, such as an import, is put in once.
            edits.append(made)
    return types.WorkspaceEdit(changes=changes)


def _suppression(
    document: OpenDocument, item: Diagnostic, encoding: Encoding
) -> list[types.TextEdit] | None:
    """The edits that silence a report; None where no comment can."""
    try:
        changed = add_comments(document.text, {item.location.row: [item.code]})
    except ValueError:
        return None
    edits = list(edits_between(document.lines, split_lines(changed), encoding))
    if any(edit.range.start.line >= item.noqa_row for edit in edits):
        # Behind a docstring it would not concern the example in it.
        row, line = item.noqa_row, document.lines[item.noqa_row - 1]
        if "#" in line:
            return None
        end = position(document.lines, row, len(line) + 1, encoding)
        return [types.TextEdit(types.Range(end, end), f"  # noqa: {item.code}")]
    return edits


def edits_between(
    old: Sequence[str], new: Sequence[str], encoding: Encoding
) -> Iterator[types.TextEdit]:
    """Yield the edits that turn some lines into as many others.

    Args:
      old: the lines as they are, without their ends.
      new: the lines as they shall be.
      encoding: the client's.

    Yields:
      At most one edit a line, of no more than what differs.
    """
    for row, (before, after) in enumerate(zip(old, new, strict=True), start=1):
        if before == after:
            continue
        matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
        changes = [op for op in matcher.get_opcodes() if op[0] != "equal"]
        start, end = changes[0][1], changes[-1][2]
        content = after[changes[0][3] : changes[-1][4]]
        span = types.Range(
            position(old, row, start + 1, encoding), position(old, row, end + 1, encoding)
        )
        yield types.TextEdit(span, content)

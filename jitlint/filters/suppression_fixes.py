"""The fix of JIT902: a comment that silences nothing is removed, or what of it does so."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from jitlint.diagnostics import Applicability, Edit, Fix, Location
from jitlint.source.suppression import Kind, Suppression

_SEPARATOR: Final = re.compile(r"[,\s]+")


def removal(comment: Suppression, idle: Collection[str]) -> Fix | None:
    """Remove a comment, or some of its codes.

    Args:
      comment: of any kind.
      idle: of the codes that it names those that silence nothing, as they are read; all for a
        comment without codes.

    Returns:
      The fix; None for what jitlint does not understand.
    """
    if comment.kind is Kind.UNKNOWN:
        return None
    if comment.prefixes is None or set(comment.prefixes) <= set(idle):
        return _whole(comment)
    codes = [code for code in comment.prefixes if code in idle]
    edit = _without(comment, idle)
    if edit is None:
        return None
    return Fix(f"Remove {', '.join(codes)} from it", Applicability.SAFE, (edit,))


def _whole(comment: Suppression) -> Fix:
    row = comment.row
    start, end = comment.column, comment.column + len(comment.text) + len(comment.reason)
    span = Location(row, start), Location(row, end)
    if comment.last:
        span = Location(row, start - comment.blanks), Location(row, end)
    if comment.alone:
        span = Location(row, 1), Location(row + 1, 1)
    edit = Edit(*span, "")
    return Fix("Remove it", Applicability.SAFE, (edit,))


def _without(comment: Suppression, idle: Collection[str]) -> Edit | None:
    """The codes of a comment without some of them; the first one and what is between stay."""
    end = comment.codes_end
    text = comment.text[: end - comment.column]
    head = max(text.rfind(":"), text.rfind("[")) + 1
    listed = text[head:]
    blanks = len(listed) - len(listed.lstrip())
    words = [word for word in _SEPARATOR.split(listed.strip()) if word]
    kept = [word for word in words if word.upper() not in idle]
    if not kept or len(kept) == len(words):
        return None
    separator = _SEPARATOR.search(listed.strip())
    content = (separator.group() if separator else ",").join(kept)
    start = comment.column + head + blanks
    return Edit(Location(comment.row, start), Location(comment.row, end), content)

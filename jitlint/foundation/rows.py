"""The rows of a text as Python's parsers count them, and its words."""

from __future__ import annotations

import re

#: turns what cannot be part of an identifier into blanks; anything beyond ASCII may be part of one
_SPACED = bytes(
    code if code > 127 or chr(code).isalnum() or chr(code) == "_" else ord(" ")
    for code in range(256)
)
#: str.splitlines also splits at these; Python's parsers do not
_OTHER_ENDS = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")


def rows_of(text: str) -> list[str]:
    r"""The rows with their line ends, split at ``\n`` only."""
    if not _OTHER_ENDS.search(text):
        return text.splitlines(keepends=True)
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def words_of(text: str) -> frozenset[str]:
    """Every identifier that occurs anywhere in a text, and numbers."""
    return frozenset(
        text.encode("utf-8", "surrogatepass")
        .translate(_SPACED)
        .decode("utf-8", "surrogatepass")
        .split()
    )

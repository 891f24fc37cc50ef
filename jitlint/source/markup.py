"""Markdown, MyST and reStructuredText: the Python in them, row for row.

Blocks share one namespace and follow one another, as in a tutorial.  What is no Python, or only
looks like it, is skipped without a word: prose is full of fragments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jitlint.source import ipython
from jitlint.source.documents import Document, Origin, split_lines

_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,}|:{3,})[ \t]*(?P<info>.*?)[ \t]*$")
_PYTHON = frozenset("python py python3 py3 ipython ipython3 pycon python-console".split())
#: directives of MyST and Sphinx whose body is code; their argument is the language
_CODE = frozenset("code code-block sourcecode code-cell".split())
#: directives whose body is Python whatever follows
_RUN = frozenset("ipython jupyter-execute testcode testsetup doctest plot".split())
_DIRECTIVE = re.compile(r"\{(?P<name>[\w.:-]+)\}\s*(?P<argument>\S*)")
_LANGUAGE = re.compile(r"\{?\.?(?P<language>[\w+-]+)")
_OPTION = re.compile(r"\s*:[\w-]+:")
_RST_DIRECTIVE = re.compile(r"(?P<indent>\s*)\.\.\s+(?P<name>[\w:-]+)::\s*(?P<argument>\S*)")
_PROMPT = re.compile(r"(?P<indent>[ \t]*)(?:>>>|In \[\d+\]:)(?P<space> |$)")
_CONTINUATION = re.compile(r"[ \t]*\.\.\.+:?(?: |$)")


@dataclass
class _Rows:
    """The Python rows of a document, empty at first.

    Args:
      lines: the rows of the document.
    """

    lines: Sequence[str]
    text: list[str] = field(init=False)
    shifts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.text = [""] * len(self.lines)
        self.shifts = [0] * len(self.lines)

    def add(self, start: int, block: Sequence[ipython.Row]) -> None:
        """Take a block over, if it is Python.

        Args:
          start: where it begins, as an index.
          block: its rows, and how far right of the first column they begin.
        """
        python = ipython.to_python([text for text, _ in block])
        if python is None or not ipython.parses("\n".join(text for text, _ in python)):
            return
        for number, ((text, shift), (_, before)) in enumerate(zip(python, block, strict=True)):
            self.text[start + number] = text
            self.shifts[start + number] = shift + before


def markdown(text: str, path: Path) -> Document:
    """Take the Python out of Markdown.

    Args:
      text: of the whole file.
      path: its name, for the result.

    Returns:
      A document with the same rows.
    """
    rows = _Rows(split_lines(text))
    plain: list[int] = []
    position = 0
    while position < len(rows.lines):
        fence = _FENCE.match(rows.lines[position])
        if fence is None or ("`" in fence["marks"] and "`" in fence["info"]):
            plain.append(position)
            position += 1
            continue
        end = _fence_end(rows.lines, position, fence["marks"])
        colons = fence["marks"].startswith(":")
        kind = _kind(fence["info"])
        if colons and kind != "python":
            # Other directives of MyST hold text, and may hold fences; or one of them ends here.
            position += 1
            continue
        if kind is not None:
            start = position + 1
            if fence["info"].startswith("{"):
                start = _after_options(rows.lines, start, end)
            _add_code(rows, start, end, kind, _width(fence["indent"]))
        position = end + 1
    _add_doctests(rows, plain)
    return _document(rows, path)


def restructured_text(text: str, path: Path) -> Document:
    """Take the Python out of reStructuredText.

    Args:
      text: of the whole file.
      path: its name, for the result.

    Returns:
      A document with the same rows.
    """
    rows = _Rows(split_lines(text))
    plain: list[int] = []
    language = "python"
    position = 0
    while position < len(rows.lines):
        directive = _RST_DIRECTIVE.match(rows.lines[position])
        if directive is None:
            plain.append(position)
            position += 1
            continue
        position += 1
        name, argument = directive["name"], directive["argument"].lower()
        if name == "highlight":
            language = argument or "python"
        code = name in _CODE and (argument or language) in _PYTHON
        if not code and name not in _RUN:
            continue
        indent = _width(directive["indent"])
        end = position
        while end < len(rows.lines) and (
            not rows.lines[end].strip() or _indent(rows.lines[end]) > indent
        ):
            end += 1
        start = position
        while start < end and _OPTION.match(rows.lines[start]):
            start += 1
        block = [line for line in rows.lines[start:end] if line.strip()]
        inner = min((_indent(line) for line in block), default=0)
        _add_code(rows, start, end, "python", inner)
        position = end
    _add_doctests(rows, plain)
    return _document(rows, path)


def _document(rows: _Rows, path: Path) -> Document:
    origins = tuple(Origin(None, row, shift) for row, shift in enumerate(rows.shifts, start=1))
    return Document(path, "\n".join(rows.text), origins=origins, cells=(tuple(rows.lines),))


def _kind(info: str) -> str | None:
    """What a fence holds: ``python``, ``plain`` (which may be doctest), or None for all else."""
    if not info:
        return "plain"
    directive = _DIRECTIVE.match(info)
    if directive is not None:
        name, argument = directive["name"].lower(), directive["argument"].lower()
        if name in _RUN or name in _PYTHON:
            return "python"
        # A cell is in the language of the document, which is Python's more often than not.
        python = argument in _PYTHON or (not argument and name == "code-cell")
        return "python" if name in _CODE and python else None
    language = _LANGUAGE.match(info)
    if language is None:
        return None
    return "python" if language["language"].lower() in _PYTHON else None


def _fence_end(lines: Sequence[str], start: int, marks: str) -> int:
    """Where a fence closes, as an index; the end of the document where it does not."""
    closing = re.compile(rf"[ \t]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
    for position in range(start + 1, len(lines)):
        if closing.match(lines[position]):
            return position
    return len(lines)


def _after_options(lines: Sequence[str], start: int, end: int) -> int:
    """Where the code of a directive begins: behind ``:key: value`` rows or a block of YAML."""
    if start < end and lines[start].strip() == "---":
        for position in range(start + 1, end):
            if lines[position].strip() == "---":
                return position + 1
        return end
    while start < end and _OPTION.match(lines[start]):
        start += 1
    return start


def _add_code(rows: _Rows, start: int, end: int, kind: str, indent: int) -> None:
    """Take a block over; with prompts, only what follows them."""
    lines = rows.lines[start:end]
    first = next((line for line in lines if line.strip()), "")
    if kind == "plain" or _PROMPT.match(first):
        _add_doctests(rows, range(start, end))
    else:
        rows.add(start, [_dedented(line, indent) for line in lines])


def _dedented(line: str, indent: int) -> ipython.Row:
    """A row without as much indentation as its block has."""
    cut = min(indent, len(line) - len(line.lstrip(" \t")))
    return line[cut:], cut


def _add_doctests(rows: _Rows, positions: Sequence[int]) -> None:
    """Take over the examples behind prompts, each for itself."""
    for start, block in _examples(rows.lines, positions):
        rows.add(start, block)


def _examples(
    lines: Sequence[str], positions: Sequence[int]
) -> Iterator[tuple[int, list[ipython.Row]]]:
    block: list[ipython.Row] = []
    start = last = -1
    for position in positions:
        line = lines[position]
        prompt = _PROMPT.match(line)
        if prompt is None and block and position == last + 1:
            prompt = _CONTINUATION.match(line)
            if prompt is not None:
                block.append((line[prompt.end() :], prompt.end()))
                last = position
                continue
        if block:
            yield start, block
            block = []
        prompt = _PROMPT.match(line)
        if prompt is not None:
            start = last = position
            block = [(line[prompt.end() :], prompt.end())]
    if block:
        yield start, block


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _width(indent: str) -> int:
    return len(indent)

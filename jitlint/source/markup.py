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
from jitlint.source.document import Document, Origin, split_lines

_QUOTE = r"(?:[ \t]*>[ ]?)"
_FENCE = re.compile(
    rf"(?P<quote>{_QUOTE}*)(?P<indent>[ \t]*(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]+)*)"
    r"(?P<marks>`{3,}|~{3,}|:{3,})[ \t]*(?P<info>.*?)[ \t]*$"
)
_COMMENT = re.compile(r" {0,3}<!--")
#: how much further right than it opened a fence may close
_CLOSING_INDENT = 3
_TAB = 4
_PYTHON = frozenset(
    "python py python3 py3 ipython ipython3 ipythonconsole pycon python-console python-repl".split()
)
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


@dataclass(frozen=True)
class _Block:
    """A fenced block.

    Args:
      info: what stands behind the opening marks.
      marks: those.
      indent: how many columns the opening marks are indented.
      start: the first row of its text, as an index.
      end: the row behind its text, as an index.
      resume: the row behind its closing marks, as an index.
      rows: its text, without the signs of a block quote.
    """

    info: str
    marks: str
    indent: int
    start: int
    end: int
    resume: int
    rows: Sequence[ipython.Row]


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
        block = _block_at(rows.lines, position)
        if block is None:
            end = _comment_end(rows.lines, position)
            if end is None:
                plain.append(position)
            position = position + 1 if end is None else end + 1
            continue
        kind = _kind(block.info)
        if block.marks.startswith(":") and kind != "python":
            # Other directives of MyST hold text, and may hold fences; or one of them ends here.
            position += 1
            continue
        if kind == "rst":
            _add_restructured(rows, block.start, block.end)
        elif kind is not None:
            skipped = _after_options(block.rows) if block.info.startswith("{") else 0
            _add_code(rows, block.start + skipped, block.rows[skipped:], kind, block.indent)
        position = block.resume
    _add_doctests(rows, [(number, (rows.lines[number], 0)) for number in plain])
    return _document(rows, path)


def _block_at(lines: Sequence[str], position: int) -> _Block | None:
    """The fenced block that opens in a row, if one does."""
    fence = _FENCE.match(lines[position])
    if fence is None or ("`" in fence["marks"] and "`" in fence["info"]):
        return None
    marks, indent = fence["marks"], _width(fence["indent"])
    quoted = re.compile(f"{_QUOTE}{{{fence['quote'].count('>')}}}")
    closing = re.compile(rf"(?P<indent>[ \t]*){re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
    rows: list[ipython.Row] = []
    end = resume = position + 1
    for end in range(position + 1, len(lines)):
        quote = quoted.match(lines[end])
        if quote is None:
            # The block quote ends, and with it what is in it.
            resume = end
            break
        line = lines[end][quote.end() :]
        closes = closing.match(line)
        if closes is not None and _width(closes["indent"]) <= indent + _CLOSING_INDENT:
            resume = end + 1
            break
        rows.append((line, quote.end()))
    else:
        end = resume = len(lines)
    return _Block(fence["info"], marks, indent, position + 1, end, resume, rows)


def _comment_end(lines: Sequence[str], position: int) -> int | None:
    """The last row of an HTML comment that begins in a row and goes on in the next."""
    opening = _COMMENT.match(lines[position])
    if opening is None or "-->" in lines[position][opening.end() :]:
        return None
    return next((end for end in range(position + 1, len(lines)) if "-->" in lines[end]), None)


def restructured_text(text: str, path: Path) -> Document:
    """Take the Python out of reStructuredText.

    Args:
      text: of the whole file.
      path: its name, for the result.

    Returns:
      A document with the same rows.
    """
    rows = _Rows(split_lines(text))
    _add_restructured(rows, 0, len(rows.lines))
    return _document(rows, path)


def _add_restructured(rows: _Rows, begin: int, stop: int) -> None:
    """Take over the code in some rows of reStructuredText."""
    plain: list[int] = []
    language = "python"
    position = begin
    while position < stop:
        line = rows.lines[position]
        directive = _RST_DIRECTIVE.match(line)
        comment = line.strip() == ".."
        if directive is None and not comment:
            plain.append(position)
            position += 1
            continue
        position += 1
        indent = _indent(line)
        code = False
        if directive is not None:
            name, argument = directive["name"], directive["argument"].lower()
            if name == "highlight":
                language = argument or "python"
            code = name in _RUN or (name in _CODE and (argument or language) in _PYTHON)
            if not code:
                continue
        end = position
        while end < stop and (not rows.lines[end].strip() or _indent(rows.lines[end]) > indent):
            end += 1
        if code:
            start = position
            while start < end and _OPTION.match(rows.lines[start]):
                start += 1
            block = [(row, 0) for row in rows.lines[start:end]]
            inner = min((_indent(row) for row, _ in block if row.strip()), default=0)
            _add_code(rows, start, block, "python", inner)
        position = end
    _add_doctests(rows, [(number, (rows.lines[number], 0)) for number in plain])


def _document(rows: _Rows, path: Path) -> Document:
    origins = tuple(Origin(None, row, shift) for row, shift in enumerate(rows.shifts, start=1))
    return Document(path, "\n".join(rows.text), origins=origins, cells=(tuple(rows.lines),))


def _kind(info: str) -> str | None:
    """What a fence holds: ``python``, ``rst``, ``plain`` (may be doctest), or None for all else."""
    if not info:
        return "plain"
    directive = _DIRECTIVE.match(info)
    if directive is not None:
        name, argument = directive["name"].lower(), directive["argument"].lower()
        if name in _RUN or name in _PYTHON:
            return "python"
        if name == "eval-rst":
            return "rst"
        # A cell is in the language of the document, which is Python's more often than not.
        python = argument in _PYTHON or (not argument and name == "code-cell")
        return "python" if name in _CODE and python else None
    language = _LANGUAGE.match(info)
    if language is None:
        return None
    return "python" if language["language"].lower() in _PYTHON else None


def _after_options(rows: Sequence[ipython.Row]) -> int:
    """How many rows of a directive stand before its code: ``:key: value``, or a block of YAML."""
    if rows and rows[0][0].strip() == "---":
        ends = (number for number, (line, _) in enumerate(rows[1:], 2) if line.strip() == "---")
        return next(ends, len(rows))
    code = (number for number, (line, _) in enumerate(rows) if not _OPTION.match(line))
    return next(code, len(rows))


def _add_code(
    rows: _Rows, start: int, block: Sequence[ipython.Row], kind: str, indent: int
) -> None:
    """Take a block over; with prompts, only what follows them."""
    first = next((line for line, _ in block if line.strip()), "")
    if kind == "plain" or _PROMPT.match(first):
        _add_doctests(rows, list(enumerate(block, start)))
    else:
        rows.add(start, [_dedented(row, indent) for row in block])


def _dedented(row: ipython.Row, indent: int) -> ipython.Row:
    """A row without as much indentation as its block has."""
    line, shift = row
    cut = width = 0
    while width < indent and line[cut : cut + 1] in (" ", "\t"):
        width += 1 if line[cut] == " " else _TAB - width % _TAB
        cut += 1
    return line[cut:], shift + cut


def _add_doctests(rows: _Rows, lines: Sequence[tuple[int, ipython.Row]]) -> None:
    """Take over the examples behind prompts, each for itself."""
    for start, block in examples(lines):
        rows.add(start, block)


def examples(
    lines: Sequence[tuple[int, ipython.Row]],
) -> Iterator[tuple[int, list[ipython.Row]]]:
    """Yield the examples behind prompts.

    Args:
      lines: numbered rows, ascending; where a number is left out, no example goes on.

    Yields:
      The number of the first row of an example, and its rows without prompts.
    """
    block: list[ipython.Row] = []
    start = last = -1
    for position, (line, shift) in lines:
        prompt = _PROMPT.match(line)
        if prompt is None and block and position == last + 1:
            prompt = _CONTINUATION.match(line)
            if prompt is not None:
                block.append((line[prompt.end() :], shift + prompt.end()))
                last = position
                continue
        if block:
            yield start, block
            block = []
        prompt = _PROMPT.match(line)
        if prompt is not None:
            start = last = position
            block = [(line[prompt.end() :], shift + prompt.end())]
    if block:
        yield start, block


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _width(indent: str) -> int:
    return len(indent.expandtabs(_TAB))

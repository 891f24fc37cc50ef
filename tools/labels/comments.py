"""Expectations written in the source: ``# expect: JIT101 @tag, JIT107 @other``.

A label stands on the line where the offending expression starts.  The tag names the case that
reaches that place, so that a label can be checked under real JAX.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jitlint.source.decoding import decode
from jitlint.source.document import Document

_MARK = re.compile(r"#\s*expect:\s*(?P<labels>.*)$")
_LABEL = re.compile(r"^(?P<code>JIT\d{3})\s+@(?P<tag>[A-Za-z0-9_-]+)$")


@dataclass(frozen=True, slots=True)
class Label:
    """One expected report: its row (from 1), its code and the tag of the case that reaches it."""

    row: int
    code: str
    tag: str


def read_labels(source: str) -> tuple[Label, ...]:
    """Find the labels in the comments of a module.

    Args:
      source: the text of the module.

    Returns:
      The labels in the order of the text.

    Raises:
      ValueError: for a comment that starts like a label but is none, with its row.
      SyntaxError: when the text cannot be split into tokens.
      tokenize.TokenError: when the text ends within a token.
    """
    labels: list[Label] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        mark = _MARK.search(token.string)
        if mark is None:
            continue
        row = token.start[0]
        for part in mark["labels"].split(","):
            label = _LABEL.match(part.strip())
            if label is None:
                raise ValueError(f"row {row}: {part.strip()!r} is no label: expected 'JIT101 @tag'")
            labels.append(Label(row, label["code"], label["tag"]))
    return tuple(labels)


def program_files(program: Path) -> Iterator[Path]:
    """The Python files and notebooks of a program: itself if it is a file, else all below it."""
    if program.is_file():
        yield program
        return
    for path in sorted(program.rglob("*")):
        if path.suffix in (".py", ".ipynb") and "__pycache__" not in path.parts:
            yield path


def program_document(path: Path) -> Document:
    """The Python of a file of a program; rows of labels are rows of its text.

    Raises:
      ValueError: for a file that is not what its name says.
    """
    document = decode(path.read_bytes(), path)
    if not isinstance(document, Document):
        raise ValueError(f"{path}: {document.message}")
    return document


def read_program_labels(program: Path) -> dict[Path, tuple[Label, ...]]:
    """The labels of every file of a program that has some.

    Args:
      program: a module or a folder of modules.

    Raises:
      ValueError: for a broken label, or a tag used twice in the program.
    """
    found: dict[Path, tuple[Label, ...]] = {}
    places: dict[str, str] = {}
    for path in program_files(program):
        try:
            labels = read_labels(program_document(path).text)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        for label in labels:
            place = f"{path}:{label.row}"
            if label.tag in places:
                raise ValueError(f"{place}: tag @{label.tag} is already at {places[label.tag]}")
            places[label.tag] = place
        if labels:
            found[path] = labels
    return found

"""What the editor has open."""

from __future__ import annotations

import urllib.parse
import urllib.request
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lsprotocol import types

from jitlint.integrations.server.positions import Encoding, replaced
from jitlint.source.discovery import absolute_path, is_python_file
from jitlint.source.documents import split_lines

Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


@dataclass(frozen=True)
class OpenDocument:
    """A document as the editor last told.

    Args:
      uri: as the client writes it.
      path: the file it stands for, whether or not it was ever saved.
      version: the client's number for this text.
      text: unsaved changes included.
      is_python: whether it is for us to lint.
    """

    uri: str
    path: Path
    version: int | None
    text: str
    is_python: bool = True
    _lines: list[Sequence[str]] = field(default_factory=list, compare=False, repr=False)

    @property
    def lines(self) -> Sequence[str]:
        """The lines, without their ends."""
        if not self._lines:
            self._lines.append(split_lines(self.text))
        return self._lines[0]


class OpenDocuments:
    """Every open document by its URI.

    Requests about documents that are not open are answered as if those were empty: a client that
    mixes up its messages must not bring the server down.

    Args:
      unnamed: the folder in which documents without a file are taken to lie.
    """

    def __init__(self, unnamed: Path) -> None:
        self.unnamed = unnamed
        self.encoding = Encoding.UTF16
        self._open: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterable[OpenDocument]:
        return iter(self.all())

    def all(self) -> tuple[OpenDocument, ...]:
        """All documents, in the order in which they were opened."""
        return tuple(self._open.values())

    def get(self, uri: str) -> OpenDocument | None:
        """The open document with a URI, however that is quoted."""
        return self._open.get(_key(uri))

    def open(self, item: types.TextDocumentItem) -> OpenDocument:
        """Take a document in."""
        path = self.path_of(item.uri)
        python = item.language_id == "python" or is_python_file(path.name)
        document = OpenDocument(item.uri, path, item.version, item.text, python)
        self._open[_key(item.uri)] = document
        return document

    def change(
        self, at: types.VersionedTextDocumentIdentifier, changes: Iterable[Change]
    ) -> OpenDocument | None:
        """Apply changes in order; None where the document is not open."""
        document = self.get(at.uri)
        if document is None:
            return None
        text = document.text
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                text = replaced(text, change.range, change.text, self.encoding)
            else:
                text = change.text
        changed = replace(document, version=at.version, text=text, _lines=[])
        self._open[_key(at.uri)] = changed
        return changed

    def close(self, uri: str) -> OpenDocument | None:
        """Forget a document; None where it was not open."""
        return self._open.pop(_key(uri), None)

    def path_of(self, uri: str) -> Path:
        """The file that a URI stands for; documents without a file get a name of their own."""
        path = file_path(uri)
        return path or self.unnamed / urllib.parse.quote(uri, safe="")


def file_path(uri: str) -> Path | None:
    """The file that a ``file:`` URI names, None for any other URI."""
    parts = urllib.parse.urlsplit(uri)
    if parts.scheme != "file":
        return None
    name = urllib.request.url2pathname(parts.path)
    if parts.netloc and parts.netloc != "localhost":
        name = f"//{parts.netloc}{name}"
    return absolute_path(Path(name)) if name and "\0" not in name else None


def _key(uri: str) -> str:
    return urllib.parse.unquote(uri)

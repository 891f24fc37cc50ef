"""What the editor has open."""

from __future__ import annotations

import os
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lsprotocol import types

from jitlint.foundation.digests import blake2b
from jitlint.integrations.server.positions import Encoding, replaced
from jitlint.source.decoding import decode
from jitlint.source.document import DecodeFailure, Document, is_document, split_lines
from jitlint.source.file_discovery import absolute_path, is_python_file
from jitlint.source.ipython import is_newer
from jitlint.source.recovery import recover

#: bytes of the name of a file, on every file system in use
_LONGEST_NAME = 255

Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


@dataclass(frozen=True)
class OpenDocument:
    """A document as the editor last told.

    Args:
      uri: as the client writes it.
      path: the file it stands for, whether or not it was ever saved.
      version: the client's number for this text.
      text: unsaved changes included.
      is_ours: whether it is for us to lint.
      language: the client's name for it.
    """

    uri: str
    path: Path
    version: int | None
    text: str
    is_ours: bool = True
    language: str = "python"

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines, without their ends."""
        return split_lines(self.text)

    @cached_property
    def python(self) -> Document:
        """The Python of it, with stand-ins for what is half typed."""
        # A notebook that the editor shows as the JSON it is says nothing of cells to the user.
        if is_document(self.path) and self.language != "python":
            document = decode(self.text.encode("utf-8", "replace"), self.path)
            return document if isinstance(document, Document) else Document(self.path, "")
        recovered = recover(self.text)
        if recovered is None or is_newer(self.text):
            return Document(self.path, self.text)
        fault = DecodeFailure(self.path, *recovered.fault)
        return Document(self.path, recovered.text, broken=(fault,))


@dataclass(frozen=True)
class OpenNotebook:
    """A notebook as the editor last told.

    Args:
      uri: as the client writes it.
      path: the file it stands for.
      cells: the code cells in order.
    """

    uri: str
    path: Path
    cells: Sequence[OpenDocument]


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
        self._cells: dict[str, list[types.NotebookCell]] = {}
        self._notebooks: dict[str, str] = {}
        #: the files that are open, the one that was opened or edited last at the end
        self._edited: dict[Path, None] = {}

    def all(self) -> tuple[OpenDocument, ...]:
        """All documents that are no cells, in the order in which they were opened."""
        inner = {_key(cell.document) for cells in self._cells.values() for cell in cells}
        return tuple(document for key, document in self._open.items() if key not in inner)

    def edited(self) -> tuple[Path, ...]:
        """The files that are or were open, the one that was edited last first."""
        return tuple(reversed(self._edited))

    def notebooks(self) -> tuple[OpenNotebook, ...]:
        """All notebooks, in the order in which they were opened."""
        found = []
        for key, cells in self._cells.items():
            uri = self._notebooks[key]
            code = (self.get(cell.document) for cell in cells if _is_code(cell))
            present = [document for document in code if document is not None]
            found.append(OpenNotebook(uri, self.path_of(uri), present))
        return tuple(found)

    def beside(self, document: OpenDocument) -> Mapping[int | None, OpenDocument]:
        """What a fix of a document may edit: itself, or the cells of its notebook by number."""
        for notebook in self.notebooks():
            if any(cell.uri == document.uri for cell in notebook.cells):
                return dict(enumerate(notebook.cells, start=1))
        return {None: document}

    def get(self, uri: str) -> OpenDocument | None:
        """The open document with a URI, however that is quoted."""
        return self._open.get(_key(uri))

    def open(self, item: types.TextDocumentItem) -> OpenDocument:
        """Take a document in."""
        path = self.path_of(item.uri)
        language = item.language_id
        ours = language == "python" or is_python_file(path.name) or is_document(path)
        document = OpenDocument(item.uri, path, item.version, item.text, ours, language)
        self._open[_key(item.uri)] = document
        self._touch(document)
        return document

    def _touch(self, document: OpenDocument) -> None:
        """Somebody works on a document."""
        inside = (n for n in self.notebooks() if any(c.uri == document.uri for c in n.cells))
        notebook = next(inside, None)
        path = document.path if notebook is None else notebook.path
        self._edited.pop(path, None)
        self._edited[path] = None

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
        changed = replace(document, version=at.version, text=text)
        self._open[_key(at.uri)] = changed
        self._touch(changed)
        return changed

    def close(self, uri: str) -> OpenDocument | None:
        """Forget a document; None where it was not open."""
        return self._open.pop(_key(uri), None)

    def open_notebook(
        self, notebook: types.NotebookDocument, texts: Iterable[types.TextDocumentItem]
    ) -> None:
        """Take a notebook in."""
        key = _key(notebook.uri)
        self._notebooks[key] = notebook.uri
        self._cells[key] = list(notebook.cells)
        for item in texts:
            self.open(item)

    def change_notebook(self, uri: str, changes: types.NotebookDocumentCellChanges) -> list[str]:
        """Apply changes to a notebook.

        Returns:
          The URIs of the cells that it lost.
        """
        cells = self._cells.get(_key(uri))
        if cells is None:
            return []
        gone: list[str] = []
        structure = changes.structure
        if structure is not None:
            start = structure.array.start
            cells[start : start + structure.array.delete_count] = structure.array.cells or []
            # A cell that is now in another language is closed and opened under one name.
            for closed in structure.did_close or ():
                gone.append(closed.uri)
                self.close(closed.uri)
            for item in structure.did_open or ():
                self.open(item)
        kinds = {_key(cell.document): cell for cell in changes.data or ()}
        cells[:] = [kinds.get(_key(cell.document), cell) for cell in cells]
        for content in changes.text_content or ():
            self.change(content.document, content.changes)
        return gone

    def close_notebook(self, uri: str) -> list[str]:
        """Forget a notebook; gives the URIs of its cells."""
        self._notebooks.pop(_key(uri), None)
        cells = [cell.document for cell in self._cells.pop(_key(uri), ())]
        for cell in cells:
            self.close(cell)
        return cells

    def path_of(self, uri: str) -> Path:
        """The file that a URI stands for; documents without a file get a name of their own."""
        path = file_path(uri)
        if path is not None and path.name:
            return path
        name = urllib.parse.quote(uri, safe="")
        if not name or len(name) > _LONGEST_NAME:
            name = f"untitled-{blake2b(uri.encode(), digest_size=12).hexdigest()}"
        return self.unnamed / name


def file_path(uri: str) -> Path | None:
    """The file or folder that a ``file:`` URI names, None for any other URI or impossible names."""
    parts = urllib.parse.urlsplit(uri)
    if parts.scheme != "file":
        return None
    name = urllib.request.url2pathname(parts.path)
    if parts.netloc and parts.netloc != "localhost":
        if os.name != "nt":
            return None
        name = f"//{parts.netloc}{name}"
    if not name or "\0" in name:
        return None
    path = absolute_path(Path(name))
    possible = all(len(os.fsencode(part)) <= _LONGEST_NAME for part in path.parts)
    return path if possible else None


def _is_code(cell: types.NotebookCell) -> bool:
    return cell.kind == types.NotebookCellKind.Code


def _key(uri: str) -> str:
    return urllib.parse.unquote(uri)

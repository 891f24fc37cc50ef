"""What goes on between one client and us, apart from how messages travel."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types

from jitlint.diagnostics import Diagnostic, OmissionReport
from jitlint.integrations.server.actions import FIX_ALL, actions, fix_all
from jitlint.integrations.server.announcement import Announcement, Word
from jitlint.integrations.server.debounced_worker import Stale, Worker
from jitlint.integrations.server.half_typed import moves_between, still_said
from jitlint.integrations.server.known_documents import KnownDocuments
from jitlint.integrations.server.linting import (
    Linted,
    StaleError,
    Workspace,
    collect_garbage,
    lint,
)
from jitlint.integrations.server.messages import Renderer, rule_pages
from jitlint.integrations.server.open_documents import OpenDocument, OpenDocuments, file_path
from jitlint.integrations.server.positions import place
from jitlint.integrations.server.settings import Settings, read_settings
from jitlint.integrations.server.workspace_reports import WorkspaceReports
from jitlint.project.memory import Memory
from jitlint.source.file_names import file_uri

log = logging.getLogger(__name__)

Publish = Callable[[types.PublishDiagnosticsParams], None]
Tell = Callable[[types.MessageType, str], None]
#: says how far something is, by its token
Progress = Callable[[str, Word], None]
#: calls a function in the thread that talks to the client
Hand = Callable[[Callable[[], None]], None]


@dataclass(frozen=True)
class Published:
    """What the client was last told of a document.

    Args:
      document: as it was linted.
      reports: each report with the form in which the client has it.
      is_cell: whether it is a cell of a notebook.
      is_broken: whether it was no Python.
    """

    document: OpenDocument
    reports: Sequence[tuple[Diagnostic, types.Diagnostic]]
    is_cell: bool
    is_broken: bool = False


@dataclass
class Client:
    """What the client can do.

    Args:
      related: it shows related information.
      markdown: it shows Markdown when hovering.
      pulls: it asks for diagnostics, so that nothing is sent unasked, which it would show twice.
        Of the cells of notebooks it is told all the same: editors that pull do not ask for those.
      refreshes: it can be told to ask again.
      progress: it shows how far something is that takes long.
    """

    related: bool = True
    markdown: bool = True
    pulls: bool = False
    refreshes: bool = False
    progress: bool = False


@dataclass
class Session:
    """The state of a connection.  All methods but the task of the worker run in one thread.

    Args:
      publish: sends diagnostics.
      tell: shows the user a message.
      hand: calls a function in the thread that talks to the client.
      refresh: has the client ask for diagnostics again.
      progress: shows the client how far something is.
    """

    publish: Publish
    tell: Tell
    hand: Hand
    refresh: Callable[[], None]
    progress: Progress = lambda token, word: None
    client: Client = field(default_factory=Client)
    documents: OpenDocuments = field(default_factory=lambda: OpenDocuments(Path.cwd()))
    settings: Settings = field(default_factory=Settings)
    folders: dict[Path, Settings] = field(default_factory=dict)
    #: what was said to be left out: file, function and sentence
    _left_out: set[tuple[str, str, str]] = field(default_factory=set)
    _published: dict[str, Published] = field(default_factory=dict)
    #: what was last found of each document as it was Python
    _sound: dict[str, Published] = field(default_factory=dict)
    #: the documents of which the client was told unasked
    _pushed: set[str] = field(default_factory=set)
    _saved: dict[str, OpenDocument] = field(default_factory=dict)
    _memories: dict[Path, Memory] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    #: what was logged of settings that mean nothing to us
    _unknown: set[str] = field(default_factory=set)
    _worker: Worker | None = None
    _known: KnownDocuments = field(default_factory=KnownDocuments)
    _announced: int = 0
    #: what was answered about a document
    _answered: dict[str, Sequence[types.Diagnostic]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        #: what is found in files that are not open
        self.all_files = WorkspaceReports(
            self._workspace, self._known.settled, self._renderer, self.hand, self._announcement
        )

    # -- what the client tells --------------------------------------------------------------------

    def open(self, item: types.TextDocumentItem) -> None:
        """A document was opened."""
        self._saved[item.uri] = self.documents.open(item)
        self.all_files.closed.discard(item.uri)
        self.relint(at_once=True)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """A document was changed."""
        document = self.documents.change(params.text_document, params.content_changes)
        if document is None:
            log.warning("changes of a document that is not open: %s", params.text_document.uri)
        elif document.is_ours and self._settings_of(document).lint_on_change:
            self.relint()

    def save(self, uri: str) -> None:
        """A document was saved; also a file that is no Python may be a configuration."""
        document = self.documents.get(uri)
        if document is not None:
            self._saved[document.uri] = document
        self.relint(at_once=True)

    def close(self, uri: str) -> None:
        """A document was closed; what was never saved of it counts no more."""
        document = self.documents.close(uri)
        if document is not None:
            self._forget(document.uri)
            self.all_files.closed.add(document.uri)
            self.relint(at_once=True)

    def open_notebook(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """A notebook was opened."""
        self.documents.open_notebook(params.notebook_document, params.cell_text_documents)
        self.relint(at_once=True)

    def change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Cells of a notebook were changed, added, moved or removed."""
        if params.change.cells is not None:
            uri = params.notebook_document.uri
            for gone in self.documents.change_notebook(uri, params.change.cells):
                self._forget(gone)
            self.relint()

    def close_notebook(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """A notebook was closed."""
        for gone in self.documents.close_notebook(params.notebook_document.uri):
            self._forget(gone)
        self.relint(at_once=True)

    def _forget(self, uri: str) -> None:
        """Take back what was said of a document."""
        self._saved.pop(uri, None)
        self._answered.pop(uri, None)
        self._published.pop(uri, None)
        self._sound.pop(uri, None)
        if uri in self._pushed:
            self._pushed.remove(uri)
            self.publish(types.PublishDiagnosticsParams(uri, []))

    def add_folders(self, folders: Sequence[types.WorkspaceFolder]) -> None:
        """Folders were opened."""
        for folder in folders:
            path = file_path(folder.uri)
            if path is not None:
                self.folders.setdefault(path, self.settings)
        self.documents.unnamed = next(iter(self.folders), Path.cwd())

    def remove_folders(self, folders: Sequence[types.WorkspaceFolder]) -> None:
        """Folders were closed."""
        for folder in folders:
            path = file_path(folder.uri)
            if path is not None:
                self.folders.pop(path, None)

    def configure(self, everywhere: Any, folders: Mapping[Path, Any] | None = None) -> None:
        """Take over the client's settings, as far as they are right.

        Args:
          everywhere: the ``jitlint`` section, or nothing.
          folders: the same for single folders.
        """
        base = next(iter(self.folders), Path.cwd())
        self.settings, faults = read_settings(everywhere, base)
        every = [faults]
        for folder in self.folders:
            if folders is None or folder not in folders:
                self.folders[folder] = self.settings
                continue
            self.folders[folder], found = read_settings(folders[folder], folder)
            every.append(found)
        for line in dict.fromkeys(line for found in every for line in found.unknown):
            if line not in self._unknown:
                self._unknown.add(line)
                log.warning("%s", line)
        self._complain(list(dict.fromkeys(line for found in every for line in found.wrong)))

    def relint(self, *, at_once: bool = False) -> None:
        """Lint what is open; ``at_once`` does not wait for more to happen."""
        if self._worker is None:
            self._worker = Worker(self._lint, tidy=collect_garbage)
        self._known.begin()
        self.all_files.outdate()
        self._worker.request(at_once=at_once)

    def stop(self) -> None:
        """Begin nothing more."""
        if self._worker is not None:
            self._worker.stop()
        self.all_files.stop()
        self._known.end()

    # -- linting ----------------------------------------------------------------------------------

    def _lint(self, stale: Stale) -> None:
        """The task of the worker.  Whatever goes wrong in it is told, and ends nothing else."""
        try:
            self._lint_once(stale)
        except StaleError:
            return
        except Exception as error:
            log.exception("linting failed")
            line = f"internal error: {type(error).__name__}: {error}"

            def complain() -> None:
                self._complain([line])
                self._known.end()

            self.hand(complain)

    def _lint_once(self, stale: Stale) -> None:
        workspace = self._workspace()
        failures: dict[str, None] = {}
        reported: set[Path] = set()
        with self._announcement() as announcement:

            def overtaken() -> bool:
                announcement.look()
                return stale()

            for linted in lint(workspace, overtaken, self._memories, announcement.told):
                rendered = self._rendered(workspace, linted)
                self._hand_unless(stale, partial(self._show, rendered, early=linted.early))
                # Where it stands is worked out while the reports are on their way.
                self._log(linted.omissions())
                failures.update(dict.fromkeys(linted.failures))
                reported.update(linted.reports)
        rest = {Path(name): () for name, _ in workspace.places if Path(name) not in reported}
        nothing = self._rendered(workspace, Linted(rest, lambda _: None))
        self._hand_unless(stale, partial(self._finish, workspace, nothing, list(failures)))

    def _hand_unless(self, stale: Stale, call: Callable[[], None]) -> None:
        """Call a function in the thread that talks to the client, unless something has changed."""

        def unless_stale() -> None:
            if not stale():
                call()

        self.hand(unless_stale)

    def _announcement(self) -> Announcement:
        """What tells the client of a run that begins now."""
        if not self.client.progress:
            return Announcement(None)
        self._announced += 1
        token = f"jitlint-{self._announced}"

        def say(word: Word) -> None:
            self.hand(partial(self.progress, token, word))

        return Announcement(say)

    def _log(self, omissions: Iterable[OmissionReport]) -> None:
        """Say what was left out, each thing once however its rows move."""
        for item in omissions:
            known = item.filename, item.function, item.message
            if known not in self._left_out:
                self._left_out.add(known)
                log.info("%s:%d: %s (%s)", item.filename, item.row, item.message, item.reason)

    def _workspace(self) -> Workspace:
        documents = [
            document
            if self._settings_of(document).lint_on_change
            else self._saved.get(document.uri, document)
            for document in self.documents.all()
        ]
        notebooks = self.documents.notebooks()
        edited = self.documents.edited()
        return Workspace(documents, notebooks, dict(self.folders), self.settings, edited)

    def _settings_of(self, document: OpenDocument) -> Settings:
        return Workspace((), (), dict(self.folders), self.settings).settings_of(document.path)

    def _rendered(self, workspace: Workspace, linted: Linted) -> list[Published]:
        renderer = self._renderer(workspace, linted.lines_of)
        found = []
        for (filename, cell), document in workspace.places.items():
            if Path(filename) not in linted.reports:
                continue
            items = [item for item in linted.reports[Path(filename)] if item.cell == cell]
            is_broken = (filename, cell) in linted.broken
            before = self._sound.get(document.uri)
            if is_broken and before is not None:
                moves = moves_between(before.document.lines, document.lines)
                items = still_said([item for item, _ in before.reports], moves, items)
            shown = [(item, renderer.diagnostic(item)) for item in items]
            found.append(Published(document, shown, cell is not None, is_broken))
        return found

    def _renderer(
        self, workspace: Workspace, read: Callable[[str], Sequence[str] | None]
    ) -> Renderer:
        def lines_of(filename: str, cell: int | None) -> Sequence[str] | None:
            document = workspace.places.get((filename, cell))
            return read(filename) if document is None else document.lines

        def uri_of(filename: str, cell: int | None) -> str:
            document = workspace.places.get((filename, cell))
            return file_uri(filename) if document is None else document.uri

        return Renderer(self.documents.encoding, lines_of, uri_of, related=self.client.related)

    def _show(self, rendered: Sequence[Published], *, early: bool = False) -> None:
        """Tell of some documents, and answer those who wait for them.

        Args:
          rendered: what there is to tell.
          early: whether more is still to come.
        """
        for item in rendered:
            document = item.document
            if self.documents.get(document.uri) is None:
                continue
            before = self._published.get(document.uri)
            self._published[document.uri] = item
            self._known.add(document.uri, early=early)
            if not item.is_broken:
                self._sound[document.uri] = item
            shown = [diagnostic for _, diagnostic in item.reports]
            same_version = before is not None and before.document.version == document.version
            if same_version and before is not None and shown == [d for _, d in before.reports]:
                continue
            if item.is_cell or not self.client.pulls:
                self._pushed.add(document.uri)
                self.publish(types.PublishDiagnosticsParams(document.uri, shown, document.version))
        self._known.wake()
        answered = self._known.completed() & self._answered.keys()
        outdated = [uri for uri in answered if self._shown(uri) != self._answered[uri]]
        for uri in outdated:
            del self._answered[uri]
        if outdated:
            self.refresh()

    def _finish(
        self, workspace: Workspace, rendered: Sequence[Published], failures: Sequence[str]
    ) -> None:
        """All has been found out: tell of the documents that are left."""
        # A cell that has become text is still open, but nothing is said of it any more.
        for uri in self._published.keys() - {item.uri for item in workspace.places.values()}:
            self._forget(uri)
        self._show(rendered)
        self._complain(failures, forget=True)
        self._known.end()
        if any(self._shown(uri) != shown for uri, shown in self._answered.items()):
            self.refresh()

    def _shown(self, uri: str) -> list[types.Diagnostic]:
        published = self._published.get(uri)
        return [] if published is None else [diagnostic for _, diagnostic in published.reports]

    def _complain(self, lines: Sequence[str], *, forget: bool = False) -> None:
        """Show the user what is wrong, each thing once until it is put right.

        Args:
          lines: what is wrong.
          forget: what is not among them is wrong no more.
        """
        for line in lines:
            log.error("%s", line)
            if line not in self._told:
                self.tell(types.MessageType.Error, f"jitlint: {line}")
        self._told = set(lines) if forget else self._told | set(lines)

    # -- what the client asks ---------------------------------------------------------------------

    async def diagnose(
        self, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport:
        """The diagnostics of a document as it is now."""
        document = self.documents.get(params.text_document.uri)
        uri = params.text_document.uri if document is None else document.uri
        # What it is told while it waits is no news.
        self._answered.pop(uri, None)
        await self._known.settled(uri, early=True)
        if uri in self._pushed:
            return types.RelatedFullDocumentDiagnosticReport([])
        shown = self._answered[uri] = self._shown(uri)
        return types.RelatedFullDocumentDiagnosticReport(shown)

    def hover(self, params: types.TextDocumentPositionParams) -> types.Hover | None:
        """The pages of the rules that report on a position."""
        here = types.Range(params.position, params.position)
        found = self._reports_at(params.text_document.uri, here)
        if not found:
            return None
        kind = types.MarkupKind.Markdown if self.client.markdown else types.MarkupKind.PlainText
        text = rule_pages(item.code for item, _ in found)
        return types.Hover(types.MarkupContent(kind, text), found[0][1].range)

    async def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the reports in a range."""
        only = params.context.only
        if only and all(_includes(FIX_ALL, kind) for kind in only):
            # Who fixes a file while saving it does so right after typing.
            asked = self.documents.get(params.text_document.uri)
            await self._known.settled(None if asked is None else asked.uri)
        document = self.documents.get(params.text_document.uri)
        if document is None:
            return []
        encoding = self.documents.encoding
        offered: list[types.CodeAction] = []
        if only is None or any(_includes(kind, types.CodeActionKind.QuickFix) for kind in only):
            for item, shown in self._reports_at(params.text_document.uri, params.range):
                offered += actions(document, item, shown, encoding, self._beside(document))
        # Nobody wants it among the cures of one report.
        if only is not None and any(_includes(kind, FIX_ALL) for kind in only):
            published = self._published.get(document.uri)
            if published is not None and published.document.text == document.text:
                every = (item for item, _ in published.reports)
                offered += fix_all(every, encoding, self._beside(document))
        return offered

    def _beside(self, document: OpenDocument) -> Mapping[int | None, OpenDocument]:
        """The texts that a fix may edit, as far as they are those that were linted."""
        found = self.documents.beside(document)
        return {
            number: it
            for number, it in found.items()
            if (known := self._published.get(it.uri)) is not None and known.document.text == it.text
        }

    def _reports_at(self, uri: str, span: types.Range) -> list[tuple[Diagnostic, types.Diagnostic]]:
        """The reports that touch a range, if they are about the text as it now stands."""
        document = self.documents.get(uri)
        published = None if document is None else self._published.get(document.uri)
        if document is None or published is None or published.document.text != document.text:
            return []
        encoding = self.documents.encoding
        start = place(document.lines, span.start, encoding)
        end = place(document.lines, span.end, encoding)
        return [
            (item, shown)
            for item, shown in published.reports
            if (item.location.row, item.location.column) <= end
            and start <= (item.end_location.row, item.end_location.column)
        ]


def _includes(kind: str, inner: str) -> bool:
    """Whether a kind of action, such as ``quickfix``, includes another, as ``""`` does all."""
    return kind == "" or inner == kind or inner.startswith(f"{kind}.")

"""The reports on all files of the editor's folders, for clients that ask for the whole workspace.

Folders are linted only when somebody asks, and only after what is open: a change ends a run under
way, and it begins anew once what is open has been linted.  As long as nothing changes, clients that
ask again and again are answered from what was found.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

from jitlint.foundation.digests import blake2b
from jitlint.integrations.server.announcement import Announcement
from jitlint.integrations.server.debounced_worker import Stale, Worker
from jitlint.integrations.server.linting import (
    StaleError,
    Told,
    Workspace,
    collect_garbage,
    lint_folder,
)
from jitlint.integrations.server.messages import Renderer
from jitlint.integrations.server.open_documents import file_path
from jitlint.project.memory import Memory
from jitlint.source.file_names import file_uri
from jitlint.usage_errors import UsageError

log = logging.getLogger(__name__)

#: the lines of a file, None where it cannot be read
Lines = Callable[[str], Sequence[str] | None]
Report = types.WorkspaceFullDocumentDiagnosticReport


@dataclass
class WorkspaceReports:
    """Answers for the whole workspace.  All methods but the task of the worker run in one thread.

    Args:
      workspace: what there is now.
      settled: waits until what is open has been linted.
      renderer: writes reports on a workspace, given the lines of its files.
      hand: calls a function in the thread that talks to the client.
      announcement: makes what tells the client of a run.
    """

    workspace: Callable[[], Workspace]
    settled: Callable[[], Awaitable[None]]
    renderer: Callable[[Workspace, Lines], Renderer]
    hand: Callable[[Callable[[], None]], None]
    announcement: Callable[[], Announcement] = lambda: Announcement(None)

    def __post_init__(self) -> None:
        #: documents that were open: their clients leave it to this answer to take back what was
        #: said of them, and do not name it among what they have
        self.closed: set[str] = set()
        self._worker: Worker | None = None
        self._changes = 0
        #: what was found last, and after how many changes
        self._found: Mapping[Path, Report] = {}
        self._found_at = -1
        #: what is being linted, and after how many changes
        self._running: tuple[Workspace, int] | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self._memories: dict[Path, Memory] = {}
        self._logged: set[str] = set()

    def outdate(self) -> None:
        """Something changed: what was found, or is being found out, counts no more."""
        self._changes += 1

    def stop(self) -> None:
        """Begin nothing more."""
        self.outdate()
        if self._worker is not None:
            self._worker.stop()

    async def answer(
        self, params: types.WorkspaceDiagnosticParams
    ) -> types.WorkspaceDiagnosticReport:
        """The reports as everything is now.

        Files without reports are named only where the client has some of them, or may have.
        """
        while True:
            await self.settled()
            if self._found_at == self._changes:
                return types.WorkspaceDiagnosticReport(list(self._news(params.previous_result_ids)))
            await self._run()

    def _news(
        self, previous: Sequence[types.PreviousResultId]
    ) -> Iterator[types.WorkspaceDocumentDiagnosticReport]:
        """What differs from what the client has, and that the rest does not."""
        known = {path: item for item in previous if (path := file_path(item.uri)) is not None}
        for path, report in self._found.items():
            before = known.pop(path, None)
            result = report.result_id
            if before is None or result is None or before.value != result:
                yield report
            else:
                yield types.WorkspaceUnchangedDocumentDiagnosticReport(
                    report.uri, result, report.version
                )
        closed = {uri for uri in self.closed if file_path(uri) not in self._found}
        for uri in sorted(closed.union(item.uri for item in known.values())):
            yield Report(uri, [])

    # -- linting ----------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Wait for a run to end, of which there is one at a time; it may have been in vain."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        if self._running is None:
            self._running = self.workspace(), self._changes
            if self._worker is None:
                self._worker = Worker(self._lint, tidy=collect_garbage)
            # Not at once: where this takes long, it does not begin between two keystrokes.
            self._worker.request()
        try:
            await waiting
        finally:
            # The client may have cancelled what it asked.
            self._waiting.discard(waiting)

    def _lint(self, stale: Stale) -> None:
        """The task of the worker.  Whatever goes wrong in it ends nothing else."""
        assert self._running is not None
        workspace, changes = self._running

        announcement = self.announcement()

        def overtaken() -> bool:
            announcement.look()
            return stale() or self._changes != changes or not self._waiting

        found: Mapping[Path, Report] | None = None
        try:
            with announcement:
                found = dict(self._reports(workspace, overtaken, announcement.told))
        except StaleError:
            changes = -1
        except Exception:
            # What was found before is better than nothing.
            log.exception("linting the workspace failed")

        def deliver() -> None:
            self._running = None
            self._found_at = changes
            if found is not None:
                self._found = found
            for waiting in self._waiting:
                if not waiting.done():
                    waiting.set_result(None)

        self.hand(deliver)

    def _reports(
        self, workspace: Workspace, stale: Callable[[], bool], told: Told
    ) -> Iterator[tuple[Path, Report]]:
        """The files with reports, in the folders where this is wanted."""
        wanted = [path for path, own in workspace.folders.items() if own.workspace_diagnostics]
        for folder in self._memories.keys() - set(wanted):
            del self._memories[folder]
        open_files = {document.path: document for document in workspace.documents}
        for folder in wanted:
            memory = self._memories.setdefault(folder, Memory())
            try:
                linted = lint_folder(folder, workspace, stale, memory, told)
            except (UsageError, OSError) as error:
                # The other folders are linted all the same.
                self._log(str(error))
                continue
            for line in linted.failures:
                self._log(line)
            renderer = self.renderer(workspace, linted.lines_of)
            for path, reports in linted.reports.items():
                document = open_files.get(path)
                items = [renderer.diagnostic(item) for item in reports]
                yield (
                    path,
                    Report(
                        file_uri(str(path)) if document is None else document.uri,
                        items,
                        None if document is None else document.version,
                        result_id=blake2b(
                            repr(items).encode(errors="replace"), digest_size=12
                        ).hexdigest(),
                    ),
                )

    def _log(self, line: str) -> None:
        """Say what could not be done, once."""
        if line not in self._logged:
            self._logged.add(line)
            log.error("%s", line)

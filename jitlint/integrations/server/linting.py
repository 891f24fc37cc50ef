"""From open documents to reports: which project each belongs to, and one analysis for each project.

All open documents of a project are analysed as they stand in the editor, so that every one of them
sees the unsaved text of the others.  The one in which somebody types comes first, by itself: what
is found on the way to it need not be found again for the others.  Where even that takes long, there
is an early answer, in which what starts in other files is as it was found before.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jitlint.diagnostics import Diagnostic, OmissionReport
from jitlint.filters.diagnostic_filter import shown_of
from jitlint.foundation.garbage_collection import PutOff
from jitlint.foundation.interruption import Interrupted, checkpoint, interruptible
from jitlint.integrations.server.open_documents import OpenDocument, OpenNotebook
from jitlint.integrations.server.settings import Settings
from jitlint.project.memory import Memory
from jitlint.run.execution import Run
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.source.document import Document
from jitlint.source.file_discovery import is_marked, project_root
from jitlint.source.notebooks import decode_notebook
from jitlint.usage_errors import UsageError

_INSTALLED = "site-packages"
_SYNTAX_ERROR = "JIT901"
#: is told how far a run has come, from 0 to 1, and how many files it is to report on
Told = Callable[[float, int], None]
#: held while an analysis runs: each sets for the whole process how deep Python may recurse
_ENGINE = threading.Lock()
_GARBAGE = PutOff()


class StaleError(Exception):
    """What was being linted has changed meanwhile."""


@dataclass(frozen=True)
class Workspace:
    """What there is to lint, at one moment.

    Args:
      documents: everything that is open, but notebooks.
      notebooks: those.
      folders: the folders that the editor has open, with the settings for each.
      settings: for documents outside of all folders.
      edited: the files that are open, the one that was edited last first.
    """

    documents: Sequence[OpenDocument]
    notebooks: Sequence[OpenNotebook] = ()
    folders: Mapping[Path, Settings] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    edited: Sequence[Path] = ()

    @cached_property
    def texts(self) -> Mapping[Path, Document]:
        """The Python of everything that is open and ours to lint."""
        return _texts(self)

    @cached_property
    def places(self) -> Mapping[tuple[str, int | None], OpenDocument]:
        """What is ours to report on, by its file and the number of the cell in it."""
        found: dict[tuple[str, int | None], OpenDocument] = {
            (str(document.path), None): document for document in self.documents if document.is_ours
        }
        for notebook in self.notebooks:
            for number, cell in enumerate(notebook.cells, start=1):
                found[str(notebook.path), number] = cell
        return found

    def folder_of(self, path: Path) -> Path | None:
        """The innermost folder that a file is in."""
        around = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=None)

    def settings_of(self, path: Path) -> Settings:
        """The settings that hold for a file."""
        folder = self.folder_of(path)
        return self.settings if folder is None else self.folders[folder]


@dataclass(frozen=True)
class Linted:
    """What came of linting some documents.

    Args:
      reports: for each document that was linted, its reports in order.
      lines_of: the lines of any file that a report names; None where it cannot be read.
      failures: one line for each thing that could not be done.
      omissions: gives what of the traced code was left out, where it was interpreted this time; to
        be asked before the next documents are linted.
      broken: the files, and the cells of them by their numbers, that are no Python as they stand.
      early: whether some of the reports may be outdated, and others are still to come.
    """

    reports: Mapping[Path, Sequence[Diagnostic]]
    lines_of: Callable[[str], Sequence[str] | None]
    failures: Sequence[str] = ()
    omissions: Callable[[], Iterable[OmissionReport]] = tuple
    broken: Collection[tuple[str, int | None]] = frozenset()
    early: bool = False


@dataclass(frozen=True)
class _Project:
    """Documents that are analysed together.

    Args:
      root: the project's root.
      settings: the editor's settings for them.
      marked: whether something in the root says that it is a project.
    """

    root: Path
    settings: Settings
    marked: bool


def lint(
    workspace: Workspace,
    stale: Callable[[], bool],
    memories: dict[Path, Memory],
    told: Told | None = None,
) -> Iterator[Linted]:
    """Lint every open document: first what was edited last, then what belongs to its project.

    Args:
      workspace: what there is.
      stale: whether the workspace has changed meanwhile; asked again and again.
      memories: what is remembered of each project, by its root; kept up to date.
      told: is told how far each run is.

    Yields:
      The reports as they are found; some of them twice, the later ones count.

    Raises:
      StaleError: the workspace has changed meanwhile.
    """
    last = {path: turn for turn, path in enumerate(workspace.edited)}
    projects: dict[_Project, list[Path]] = {}
    for path in sorted(workspace.texts, key=lambda path: last.get(path, len(last))):
        if not _is_installed(path, workspace):
            projects.setdefault(_project_of(path, workspace), []).append(path)
    for root in memories.keys() - {project.root for project in projects}:
        del memories[root]
    for turn, (project, paths) in enumerate(projects.items()):
        memory = memories.setdefault(project.root, Memory())
        waiting = [(paths[:1], True) if turn == 0 else (paths, False)]
        while waiting:
            wanted, early = waiting.pop()
            request = _request(project, wanted, workspace.texts, early=early)
            try:
                with _analysed(request, stale, memory, told) as done:
                    linted = _linted(done, project.settings, wanted)
                    if early and len(paths) > 1:
                        waiting.append((paths, False))
                    if linted.early:
                        waiting.append((wanted, False))
                    yield linted
            except (UsageError, OSError) as error:
                # The other projects are linted all the same.
                yield Linted({}, lambda _: None, [str(error)])
                break


def _linted(done: Run, settings: Settings, paths: Sequence[Path]) -> Linted:
    reports: dict[Path, list[Diagnostic]] = {path: [] for path in paths}
    for item in _shown(done, settings):
        found = reports.get(Path(item.filename))
        if found is not None:
            found.append(item)
    faults = [item for item in done.diagnostics if item.code == _SYNTAX_ERROR]
    broken = {(item.filename, item.cell) for item in done.sources.located(faults)}
    lines, early = done.sources.lines, done.analysis is not None and done.analysis.early
    return Linted(reports, lines, done.failures, lambda: done.omissions, broken, early)


def lint_folder(
    folder: Path,
    workspace: Workspace,
    stale: Callable[[], bool],
    memory: Memory,
    told: Told | None = None,
) -> Linted:
    """Lint all files of a folder, as ``jitlint check`` does, but what is open as it stands.

    Args:
      folder: one of the workspace's.
      workspace: what there is.
      stale: whether the workspace has changed meanwhile; asked again and again.
      memory: what is remembered of the folder; kept up to date.
      told: is told how far the run is.

    Returns:
      The reports of the files that have any and are in no other folder further in.  Cells of
      notebooks have names only where they are open, and there they are reported on anyway.

    Raises:
      StaleError: the workspace has changed meanwhile.
      UsageError: the configuration is wrong.
    """
    settings = workspace.folders[folder]
    request = Request(
        paths=(folder,), documents=workspace.texts, config_file=settings.configuration
    )
    reports: dict[Path, list[Diagnostic]] = {}
    with _analysed(request, stale, memory, told) as done:
        for item in _shown(done, settings):
            path = Path(item.filename)
            if item.cell is None and workspace.folder_of(path) == folder:
                reports.setdefault(path, []).append(item)
        return Linted(reports, done.sources.lines, done.failures)


def _request(
    project: _Project, paths: Sequence[Path], texts: Mapping[Path, Document], *, early: bool
) -> Request:
    return Request(
        paths=(project.root,),
        files=tuple(paths),
        documents={path: text for path, text in texts.items() if path.is_relative_to(project.root)},
        config_file=project.settings.configuration,
        force_exclude=True,
        # What is open counts as named, however much of it there is.
        prefilter=False,
        extend_exclude=() if project.marked else _subfolders(project.root),
        early=early,
    )


@contextmanager
def _analysed(
    request: Request, stale: Callable[[], bool], memory: Memory, told: Told | None = None
) -> Iterator[Run]:
    """What comes of a request, for as long as somebody asks about it.

    Raises:
      StaleError: what is asked has changed meanwhile.
    """
    from jitlint.analysis import engine

    def analyze(root: Path, targets: Sequence[Path], **options: Any) -> engine.Analysis:
        def progress(done: int, of: int) -> None:
            if told is not None:
                told(done / max(of, 1), len(targets))

        options["progress"] = progress
        return engine.analyze(root, targets, memory=memory, **options)

    with _ENGINE, _GARBAGE.while_busy():
        try:
            with interruptible(stale):
                checkpoint()
                done = run(request, analyze=analyze)
            yield done
            if done.analysis is not None:
                done.analysis.dismantle()
        except Interrupted:
            raise StaleError from None
        finally:
            memory.tidy()


def collect_garbage() -> None:
    """Free what analyses have left, unless one is under way."""
    if _ENGINE.acquire(blocking=False):
        try:
            _GARBAGE.collect()
        finally:
            _ENGINE.release()


def _texts(workspace: Workspace) -> dict[Path, Document]:
    texts: dict[Path, Document] = {}
    for item in workspace.documents:
        if item.is_ours:
            texts[item.path] = item.python
    for notebook in workspace.notebooks:
        cells = [
            {"cell_type": "code", "language": cell.language, "source": cell.text}
            for cell in notebook.cells
        ]
        data = json.dumps({"cells": cells}).encode()
        document = decode_notebook(data, notebook.path, typing=True)
        if isinstance(document, Document):
            texts[notebook.path] = document
    return texts


def _shown(done: Run, settings: Settings) -> list[Diagnostic]:
    return done.sources.located(shown_of(done, settings.selection))


def _project_of(path: Path, workspace: Workspace) -> _Project:
    settings = workspace.settings_of(path)
    root = project_root([path])
    if is_marked(root):
        return _Project(root, settings, marked=True)
    folder = workspace.folder_of(path)
    if folder is not None:
        return _Project(folder, settings, marked=True)
    # A new file may lie in a folder that is still to be made.
    root = next((parent for parent in (root, *root.parents) if parent.is_dir()), root)
    return _Project(root, settings, marked=False)


def _subfolders(root: Path) -> tuple[str, ...]:
    """The folders in a folder that nobody called a project: it may be the whole disk."""
    try:
        return tuple(entry.path for entry in os.scandir(root) if entry.is_dir())
    except OSError:
        return ()


def _is_installed(path: Path, workspace: Workspace) -> bool:
    """Whether a file belongs to an installed package that was only opened to be read."""
    folder = workspace.folder_of(path)
    parts = path.parts if folder is None else path.relative_to(folder).parts
    return _INSTALLED in parts

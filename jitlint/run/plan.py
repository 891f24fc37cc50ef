"""What a request comes to before anything is analysed: its files, and texts that stand for some."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from jitlint.config.configuration import Config
from jitlint.diagnostics import Diagnostic
from jitlint.run.broken_input import broken_cells, undecodable
from jitlint.run.exclusion import leaves_out, refuser_of
from jitlint.run.outline import Outline, interpretation, outline_of
from jitlint.run.request import Request
from jitlint.source.decoding import decode, read_document
from jitlint.source.document import DecodeFailure, Document, is_document
from jitlint.source.file_discovery import (
    Excluder,
    FolderHandler,
    absolute_path,
    find_targets,
    is_source_file,
    project_files,
)
from jitlint.source.settings_files import settings_files


class Plan(Outline):
    """The files besides.

    Args:
      targets: the files to report on.
      failures: one line for each thing that cannot be done.
      early: reports on input that cannot be analysed at all.
      documents: what stands for files.
      examples: whether docstrings of a target are read too.
      project: lists the files of the whole project, once.
      config: what holds for the whole project together, once.
    """

    targets: Sequence[Path]
    failures: Sequence[str]
    early: Sequence[Diagnostic]
    documents: Mapping[Path, Document]
    examples: bool
    project: Callable[[], Sequence[Path]]
    config: Callable[[], Config]


def make_plan(request: Request) -> Plan:
    """Find the files and the configuration that a request is about.

    Args:
      request: what to analyse.

    Returns:
      What would be analysed, and how.

    Raises:
      UsageError: a path or the configuration is wrong.
    """
    return fill_in(request, outline_of(request))


def fill_in(request: Request, outline: Outline, on_folder: FolderHandler | None = None) -> Plan:
    """Find the files of a request.

    Args:
      request: what to analyse.
      outline: what is known of it.
      on_folder: is told of each folder before it is listed.

    Returns:
      The whole plan.
    """
    is_left_out = refuser_of(outline.root, outline.exclude)
    refuse = is_left_out if request.force_exclude else None
    failures: list[str] = []
    documents = dict(request.documents)
    early: list[Diagnostic] = []
    targets: list[Path] = []
    if request.stdin is not None:
        path = request.stdin_path
        document = decode(request.stdin, path)
        if refuse is not None and refuse(path):
            pass
        elif isinstance(document, DecodeFailure):
            early += undecodable([document])
        else:
            documents[document.path] = document
            early += undecodable(document.broken)
            targets.append(document.path)
    else:

        def unlistable(error: OSError) -> None:
            failures.append(f"cannot list {error.filename}: {error.strerror}")

        named = request.paths if request.files is None else request.files
        kept = [path for path in named if refuse is None or not refuse(path)]
        found = find_targets(kept, outline.exclude, unlistable, on_folder)
        for path in (*found, *_unsaved(kept, documents, outline.exclude)):
            reason = None if path in documents else _unreadable(path)
            if reason is None:
                targets.append(path)
                early += broken_cells(documents.get(path))
            else:
                failures.append(f"cannot read {path}: {reason}")
    # What is left out is no part of the project, saved or not.
    reported = {*targets}
    documents = {
        path: document
        for path, document in documents.items()
        if path in reported or not is_left_out(path)
    }
    wanted = [path for path in targets if _wants_examples(request, outline, path)]
    for document in _with_examples(wanted, documents):
        documents[document.path] = document
    project = cache(lambda: project_files(outline.root, targets, documents, outline.exclude))
    return Plan(
        outline.configs,
        outline.root,
        outline.exclude,
        targets,
        failures,
        early,
        documents,
        bool(wanted),
        project,
        cache(lambda: interpretation(request, outline, project())),
    )


def _unsaved(
    folders: Iterable[Path], documents: Iterable[Path], exclude: Excluder
) -> Iterator[Path]:
    """What folders would hold besides, were it saved.

    Args:
      folders: whatever was named.
      documents: what stands for files.
      exclude: tells which of them are left out.
    """
    tops = list(map(absolute_path, folders))
    for path in documents:
        if is_source_file(path.name) and not os.path.lexists(path):
            around = (top for top in tops if top != path and path.is_relative_to(top))
            if any(not leaves_out(exclude, top, path) for top in around):
                yield path


def inputs_of(
    request: Request, outline: Outline, on_folder: FolderHandler | None = None
) -> tuple[Sequence[Path], Sequence[Path]]:
    """The targets of a request, and everything that a run would read.

    Args:
      request: what to analyse.
      outline: what is known of it.
      on_folder: is told of each folder before it is listed.
    """
    plan = fill_in(request, outline, on_folder)
    files = project_files(plan.root, plan.targets, (), plan.exclude, on_folder)
    settings = settings_files(plan.root, plan.exclude, on_folder)
    return plan.targets, list(dict.fromkeys([*files, *config_files(outline, files), *settings]))


def config_files(outline: Outline, files: Iterable[Path]) -> list[Path]:
    """The files that say, or could say, how some files of the project are linted."""
    folders = {path.parent for path in files}
    said = [path for path in outline.configs.places(folders) if path.is_file()]
    return [*said, *outline.exclude.files]


def files_of(request: Request) -> Sequence[Path]:
    """Every file that a run reads, and where its configuration may stand.

    Raises:
      UsageError: a path or the configuration is wrong.
    """
    outline = outline_of(request)
    files = inputs_of(request, outline)[1]
    return [*files, *outline.configs.places({path.parent for path in files})]


def _wants_examples(request: Request, outline: Outline, path: Path) -> bool:
    """Whether the examples in a file's docstrings are linted too."""
    # Asked in any case: here it comes out if something is wrong with the configuration of a target.
    config, wanted = outline.configs.of(path), request.docstring_examples
    return config.docstring_examples if wanted is None else wanted


def _unreadable(path: Path) -> str | None:
    """Why a target cannot be read, as far as can be told without opening it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return error.strerror or str(error)
    if not stat.S_ISREG(mode):
        return "not a regular file"
    return None if os.access(path, os.R_OK) else "permission denied"


def _with_examples(
    targets: Sequence[Path], documents: Mapping[Path, Document]
) -> Iterator[Document]:
    """Yield the targets that have examples in docstrings, with those behind them."""
    from jitlint.source.docstrings import with_examples

    for path in targets:
        document: Document | DecodeFailure | None = documents.get(path)
        if is_document(path):
            continue
        if document is None:
            with suppress(OSError):
                document = read_document(path)
        if isinstance(document, Document):
            extended = with_examples(document)
            if extended is not document:
                yield extended

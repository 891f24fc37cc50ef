"""Paths of several projects in one request: each project is linted by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from jitlint.run.execution import Run
from jitlint.run.outline import check_paths, configurations_of
from jitlint.run.request import Request
from jitlint.run.source_texts import SourceTexts
from jitlint.source.file_discovery import common_folder, is_marked, project_root


def requests_of(request: Request) -> list[Request]:
    """A request for each project that the paths of one belong to.

    A project above all of the paths holds them all.  Where there is none, the folder that they have
    in common may be a home folder or the whole disk, and nothing in between is anybody's business.

    Args:
      request: names paths.

    Returns:
      The request itself, if it is about one project.

    Raises:
      UsageError: a path does not exist.
    """
    if len(request.paths) < 2 or request.stdin is not None or request.files is not None:
        return [request]
    root = project_root(request.anchors)
    if is_marked(root):
        return [request]
    groups: dict[Path, list[Path]] = {}
    own = {path: project_root([path]) for path in request.paths}
    for path, project in own.items():
        # Of nested ones the outermost.
        around = [other for other in own.values() if project.is_relative_to(other)]
        groups.setdefault(min(around, key=lambda other: len(other.parts)), []).append(path)
    if len(groups) < 2:
        return [request]
    check_paths(request.paths)
    return [replace(request, paths=tuple(paths)) for paths in groups.values()]


def joined(request: Request, runs: Sequence[Run]) -> Run:
    """The runs of several projects as one.

    Args:
      request: what they are about.
      runs: what came of each.
    """
    analyses = [run.analysis for run in runs if run.analysis is not None]
    analysis = None
    if analyses:
        from jitlint.analysis.engine import Analysis

        analysis = Analysis.joined(analyses)
    diagnostics = chain.from_iterable(run.diagnostics for run in runs)
    documents = {path: text for run in runs for path, text in run.sources.given.items()}
    return Run(
        configurations_of(request),
        sorted(diagnostics, key=lambda item: item.sort_key),
        list(chain.from_iterable(run.targets for run in runs)),
        list(chain.from_iterable(run.failures for run in runs)),
        SourceTexts(documents),
        common_folder(request.anchors),
        list(chain.from_iterable(run.commented for run in runs)),
        analysis,
        list(dict.fromkeys(chain.from_iterable(run.remarks for run in runs))),
    )

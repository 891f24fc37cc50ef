"""A run that keeps its results, and those of its parts, and uses what earlier runs kept."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from jitlint.cache.folder import (
    FOLDER_NAME,
    VARIABLE,
    CacheFolder,
    PartFolder,
    digest,
    users_folder,
)
from jitlint.cache.runs import RunCache, RunResult
from jitlint.cache.stamps import Witness
from jitlint.config.configuration import Config
from jitlint.rules.codes import INTERNAL_ERROR
from jitlint.run.execution import Analyze, Progress, Run, execute
from jitlint.run.outline import Outline
from jitlint.run.plan import Plan, config_files, fill_in, inputs_of
from jitlint.run.request import Request
from jitlint.run.source_texts import SourceTexts
from jitlint.source.file_discovery import absolute_path, is_marked


def cache_place(config: Config, chosen: Path | None, root: Path) -> tuple[Path, bool]:
    """Where results are kept.

    Args:
      config: the configuration.
      chosen: what the command line says.
      root: the project root.

    Returns:
      The folder, and whether the user named it.
    """
    variable = os.environ.get(VARIABLE)
    named = chosen or (Path(variable) if variable else config.cache_dir)
    if named is not None:
        return absolute_path(named), True
    # What nobody called a project may be an installed package, or somebody else's folder.
    return (root / FOLDER_NAME if is_marked(root) else users_folder()), False


def run_cached(request: Request, outline: Outline, progress: Progress | None) -> Run:
    """Answer a request with what is kept of the same one, or analyse and keep what comes of it.

    Args:
      request: what to analyse.
      outline: what is known of it.
      progress: is told how far the analysis is.

    Returns:
      What was found, and what could not be done.
    """
    place, named = cache_place(outline.configs.main, request.cache_folder, outline.root)
    folder = CacheFolder(place)
    # What an editor holds is in no file, so no file can tell whether it has changed.
    if request.stdin is not None or request.documents:
        plan = fill_in(request, outline)
        analyze = _keeping_engine(folder, plan, None, writable=False)
        return execute(request, plan, progress, analyze)
    cache = RunCache(folder, _identity(request, outline))
    known = _known(request, outline, cache)
    if known is not None:
        return known
    # Several processes are asked the same at once, by flake8 for one: one of them does the work.
    # Making the folder now leaves the times of those alone that are about to be listed.
    with folder.locked(digest(str(outline.root))) as another:
        known = _known(request, outline, cache) if another else None
        if known is not None:
            return known
        witness = Witness()
        plan = fill_in(request, outline, witness.listing)
        analyze = _keeping_engine(folder, plan, None if plan.examples else witness)
        result = execute(request, plan, progress, analyze)
        failed = any(item.code == INTERNAL_ERROR for item in result.diagnostics)
        # What could not be done may be possible the next time.
        if not (result.failures or failed or plan.examples):
            for path in config_files(plan, plan.project()):
                witness.read(path)
            cache.keep(RunResult(result.targets, result.diagnostics, result.commented), witness)
        # What came of parts was kept in any case.
        folder.prune()
    if named and folder.failure is not None:
        remark = f"cannot keep results in {folder.path}: {folder.failure}"
        return replace(result, remarks=(remark,))
    return result


def _known(request: Request, outline: Outline, cache: RunCache) -> Run | None:
    """What came of the same request before, if it would be the same today."""
    if request.omissions:
        return None
    known = cache.find(lambda witness: inputs_of(request, outline, witness.listing))
    if known is None:
        return None
    found, sources = known.diagnostics, SourceTexts()
    return Run(outline.configs, found, known.targets, (), sources, outline.root, known.commented)


def _keeping_engine(
    folder: CacheFolder, plan: Plan, witness: Witness | None, *, writable: bool = True
) -> Analyze:
    """The engine, with the parts of the analysis kept, and what they rest on taken down."""
    from jitlint.analysis import engine

    context = [str(plan.root), *_interpretation(plan.config())]
    parts = PartFolder(folder, json.dumps(context, sort_keys=True), writable)
    return partial(engine.analyze, witness=witness, cache=parts)


def _identity(request: Request, outline: Outline) -> Sequence[object]:
    """All that decides what a run reads and how it looks at that, but for what it reads."""
    config = outline.configs.main
    files = None if request.files is None else list(map(_absolute, request.files))
    return [
        str(outline.root),
        list(map(_absolute, request.paths)),
        files,
        # What is excluded on the command line is relative to the current folder.
        str(Path.cwd()) if request.exclude or request.extend_exclude else None,
        request.exclude,
        request.extend_exclude,
        request.force_exclude,
        request.respect_gitignore,
        request.prefilter,
        request.docstring_examples,
        request.assume_traced,
        str(config.base),
        config.exclude,
        config.extend_exclude,
        *_interpretation(config),
    ]


def _interpretation(config: Config) -> Sequence[object]:
    """What the configuration says of how code is understood."""
    callables = config.traced_callables.items()
    return [
        list(map(str, config.src)),
        {name: [entry.argument, entry.static] for name, entry in callables},
        config.assume_traced,
    ]


def _absolute(path: Path) -> str:
    return str(absolute_path(path))

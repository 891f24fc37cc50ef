"""From a request to a run, with or without results that are kept."""

from __future__ import annotations

from jitlint.run.caching import run_cached
from jitlint.run.execution import Analyze, Progress, Run, execute
from jitlint.run.outline import outline_of
from jitlint.run.plan import fill_in
from jitlint.run.request import Request
from jitlint.run.several_projects import joined, requests_of


def run(
    request: Request, *, progress: Progress | None = None, analyze: Analyze | None = None
) -> Run:
    """Analyse what was asked for.

    Args:
      request: what to analyse.
      progress: is told how many files of how many are done.
      analyze: an engine that keeps things in its own way; nothing else is kept then.

    Returns:
      What was found, and what could not be done.

    Raises:
      UsageError: nothing was analysed, because a path or the configuration is wrong.
    """
    requests = requests_of(request)
    runs = [_run(each, progress, analyze) for each in requests]
    return runs[0] if len(runs) == 1 else joined(request, runs)


def _run(request: Request, progress: Progress | None, analyze: Analyze | None) -> Run:
    outline = outline_of(request)
    if request.cache and analyze is None:
        return run_cached(request, outline, progress)
    return execute(request, fill_in(request, outline), progress, analyze)

"""From options to a run: what is asked of the runner, and what is told of its trouble."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jitlint.cli.streams import tell
from jitlint.output.progress import ProgressBar
from jitlint.run.execution import Run
from jitlint.run.request import STDIN_NAME, Request
from jitlint.run.runner import run
from jitlint.usage_errors import UsageError


def make_request(arguments: argparse.Namespace) -> Request:
    """What the input options ask for.

    Raises:
      UsageError: they contradict each other.
    """
    paths = tuple(arguments.paths) or (Path(),)
    stdin: bytes | None = None
    if Path("-") in paths:
        if len(paths) > 1:
            raise UsageError("- (standard input) cannot be combined with other paths")
        paths = ()
        stdin = sys.stdin.buffer.read()
    elif arguments.stdin_filename is not None:
        raise UsageError("--stdin-filename is only of use with the path -")
    return Request(
        paths=paths,
        stdin=stdin,
        stdin_name=arguments.stdin_filename,
        config_file=arguments.config,
        isolated=arguments.isolated,
        exclude=None if arguments.exclude is None else tuple(arguments.exclude),
        extend_exclude=tuple(arguments.extend_exclude),
        force_exclude=arguments.force_exclude,
        respect_gitignore=arguments.respect_gitignore,
        prefilter=arguments.prefilter,
        # Where there is no such option, places have to be those that Python runs.
        docstring_examples=getattr(arguments, "docstring_examples", False),
        jobs=getattr(arguments, "jobs", 1),
        # Results that are kept do not say which functions are traced.
        cache=getattr(arguments, "cache", False) and arguments.command != "verify",
        cache_folder=getattr(arguments, "cache_dir", None),
        assume_traced=tuple(arguments.assume_traced),
        listing=arguments.command in ("traced", "verify"),
        omissions=getattr(arguments, "verbose", False) or getattr(arguments, "statistics", False),
    )


def run_request(request: Request, arguments: argparse.Namespace) -> Run:
    """Analyse, with a progress bar, and tell what could not be done."""
    with ProgressBar(sys.stderr, enabled=not arguments.quiet) as bar:
        result = run(request, progress=bar.update)
    if result.diagnostics and not result.targets:
        # Standard input that is no text: there is a report, so the input was not empty.
        return result
    for remark in result.remarks:
        tell(f"warning: {remark}")
    tell_of_files(request, result.targets, result.failures)
    return result


def tell_of_files(request: Request, targets: Sequence[Path], failures: Sequence[str]) -> None:
    """Say on standard error what could not be read, or that there was nothing to read.

    Args:
      request: what was asked for.
      targets: the files that were found.
      failures: one line for each thing that could not be done.
    """
    for failure in failures:
        tell(f"error: {failure}")
    if not targets and not failures:
        stdin = (request.stdin_name or STDIN_NAME,)
        names = ", ".join(str(path) for path in request.paths or stdin)
        left = " (what is excluded is left out)" if request.force_exclude else ""
        tell(f"warning: no Python files found under {names}{left}")

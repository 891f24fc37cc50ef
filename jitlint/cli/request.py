"""From options to a run: what is asked of the runner, and what is told of its trouble."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from jitlint.cli.streams import tell
from jitlint.errors import UsageError
from jitlint.output.progress import ProgressBar
from jitlint.runner import Request, Run, run


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
        prefilter=arguments.prefilter,
    )


def run_request(request: Request, arguments: argparse.Namespace) -> Run:
    """Analyse, with a progress bar, and tell what could not be done."""
    with ProgressBar(sys.stderr, enabled=not arguments.quiet) as bar:
        result = run(request, progress=bar.update)
    for failure in result.failures:
        tell(f"error: {failure}")
    if not result.targets and not result.failures and not result.diagnostics:
        names = ", ".join(str(path) for path in request.paths)
        tell(f"warning: no Python files found under {names}")
    return result

"""``jitlint check``."""

from __future__ import annotations

import argparse
from pathlib import Path

from jitlint.cli.exit_codes import FAILED, FOUND, OK
from jitlint.cli.request import make_request, run_request
from jitlint.cli.streams import uses_color, write
from jitlint.diagnostics import Severity
from jitlint.errors import UsageError
from jitlint.output.registry import render
from jitlint.output.report import Report
from jitlint.runner import Run
from jitlint.selection import (
    INTERNAL_ERROR,
    Filter,
    Layer,
    check_codes,
    known_codes,
    select_rules,
)


def check(arguments: argparse.Namespace) -> int:
    """Lint files and folders.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code.

    Raises:
      UsageError: an option, a path or the configuration is wrong; nothing was linted.
    """
    request = make_request(arguments)
    layer = _command_line_layer(arguments)
    run = run_request(request, arguments)
    shown = _filter(run, layer, arguments.min_severity).apply(
        run.diagnostics, run.commented
    )
    nothing_linted = not run.targets and not shown
    lines = render(
        arguments.output_format,
        Report(
            diagnostics=shown,
            lines_of=run.sources.lines,
            folder=Path.cwd(),
            color=uses_color(arguments),
            summary=not arguments.quiet and not nothing_linted,
            failures=len(run.failures),
        ),
    )
    write(lines, arguments.output_file)
    if run.failures or any(item.code == INTERNAL_ERROR for item in shown):
        return FAILED
    return FOUND if shown and not arguments.exit_zero else OK


def _command_line_layer(arguments: argparse.Namespace) -> Layer:
    checked = {}
    for name in ("select", "extend_select", "ignore"):
        values = getattr(arguments, name)
        try:
            checked[name] = None if values is None else check_codes(values)
        except ValueError as error:
            raise UsageError(f"--{name.replace('_', '-')}: {error}") from None
    return Layer(checked["select"], checked["extend_select"] or (), checked["ignore"] or ())


def _filter(run: Run, layer: Layer, min_severity: str | None) -> Filter:
    config = run.config
    severity = config.min_severity if min_severity is None else Severity.from_label(min_severity)
    configured = Layer(config.select, config.extend_select, config.ignore)
    selection = select_rules(known_codes(), [configured, layer], severity)
    return Filter(selection, config.per_file_ignores, config.base, run.sources.text)

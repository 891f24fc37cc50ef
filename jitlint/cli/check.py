"""``jitlint check``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from jitlint.cli.exit_codes import FAILED, FOUND, OK
from jitlint.cli.fixing import check_options as check_fix_options, wants_fixes
from jitlint.cli.new_reports import NewReports
from jitlint.cli.running import make_request, run_request, tell_of_files
from jitlint.cli.streams import check_writable, tell, uses_color, write
from jitlint.config.configuration import Config
from jitlint.config.rule_selection import Layer, Selection, check_codes
from jitlint.diagnostics import Diagnostic, Severity
from jitlint.filters.diagnostic_filter import Select, shown_of
from jitlint.filters.tested_code import left_to_tests
from jitlint.foundation.phrases import counted
from jitlint.output.formats import render
from jitlint.output.report import Report
from jitlint.rules.codes import INTERNAL_ERROR
from jitlint.run.execution import Run
from jitlint.run.plan import make_plan
from jitlint.run.request import Request
from jitlint.usage_errors import UsageError

_COUNTING_FORMATS = ("full", "concise", "json")


def check(arguments: argparse.Namespace) -> int:
    """Lint files and folders.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code.

    Raises:
      UsageError: an option, a path or the configuration is wrong; nothing was linted.
    """
    layer = command_line_layer(arguments)
    check_fix_options(arguments)
    check_writable(arguments.output_file)
    if arguments.add_noqa is not None and Path("-") in arguments.paths:
        raise UsageError("--add-noqa writes into files, so it needs paths other than -")
    if arguments.statistics and arguments.output_format not in _COUNTING_FORMATS:
        raise UsageError(
            f"--statistics: there are none in the format {arguments.output_format} "
            f"(expected --output-format {', '.join(_COUNTING_FORMATS[:-1])} or "
            f"{_COUNTING_FORMATS[-1]})"
        )
    request = make_request(arguments)
    if arguments.add_noqa is not None:
        # A comment in an example is for its author to write: it is shown in the documentation.
        request = replace(request, docstring_examples=False)
    refuted: frozenset[str] = frozenset()
    if arguments.verified is not None:
        from jitlint.filters.refutations import refuted_fingerprints

        refuted = refuted_fingerprints(arguments.verified)
    if arguments.watch:
        from jitlint.cli.watch import watch

        others = {
            "standard input": Path("-") in arguments.paths,
            "--add-noqa": arguments.add_noqa is not None,
            "--show-files": arguments.show_files,
            "--show-settings": arguments.show_settings,
        }
        for other in (name for name, present in others.items() if present):
            raise UsageError(f"--watch: cannot be combined with {other}")
        return watch(request, lambda: _lint(request, layer, arguments, refuted))
    if arguments.show_files or arguments.show_settings:
        return _show_plan(request, layer, arguments)
    return _lint(request, layer, arguments, refuted)


def _show_plan(request: Request, layer: Layer, arguments: argparse.Namespace) -> int:
    """Say what a run would do."""
    from jitlint.cli.show_plan import render_files, render_settings

    plan = make_plan(request)
    if arguments.show_settings:
        select = selector(layer, arguments)
        write(render_settings(request, plan, select, arguments), arguments.output_file)
        return OK
    tell_of_files(request, plan.targets, plan.failures)
    write(render_files(plan, arguments.output_format), arguments.output_file)
    return FAILED if plan.failures else OK


def _lint(
    request: Request, layer: Layer, arguments: argparse.Namespace, refuted: frozenset[str]
) -> int:
    new_reports = NewReports(arguments, request)
    run = run_request(request, arguments)
    select = selector(layer, arguments)
    if wants_fixes(arguments):
        return _fix(request, run, select, arguments, refuted, new_reports)
    kept = [item for item in shown_of(run, select) if item.fingerprint not in refuted]
    shown = new_reports.among(run.sources.located(kept), run, select)
    failed = bool(run.failures)
    summary = not arguments.quiet and (bool(run.targets) or bool(shown))
    if arguments.add_noqa is not None:
        from jitlint.cli.add_noqa import add_noqa

        outcome = add_noqa(shown, run.sources, arguments.add_noqa)
        for failure in outcome.failures:
            tell(f"error: {failure}")
        if not arguments.quiet:
            reports, files = counted(outcome.silenced, "report"), counted(outcome.files, "file")
            tell(f"added # noqa comments for {reports} in {files}")
        shown = outcome.left
        failed = failed or bool(outcome.failures)
        summary = summary and bool(shown)
    write(_render(shown, run, arguments, summary=summary), arguments.output_file)
    if arguments.verbose:
        from jitlint.output.omissions import (
            render as render_omissions,
            render_guesses,
            render_trusted,
        )

        for line in render_omissions(run.omissions, Path.cwd()):
            tell(line)
        for line in render_guesses(run.sources.located(_withheld(run, select)), Path.cwd()):
            tell(line)
        trusted = run.sources.located(left_to_tests(run.diagnostics, run.configs))
        for line in render_trusted(trusted, Path.cwd()):
            tell(line)
    if failed or any(item.code == INTERNAL_ERROR for item in shown):
        return FAILED
    return _code_of(shown, arguments)


def _withheld(run: Run, select: Select) -> list[Diagnostic]:
    """What is not shown as it holds of one of several objects alone."""

    def select_all(config: Config) -> Selection:
        return replace(select(config), min_severity=Severity.INFO)

    shown = {item.fingerprint for item in shown_of(run, select)}
    return [
        item
        for item in shown_of(run, select_all)
        if item.rests_on_one_of_several and item.fingerprint not in shown
    ]


def _code_of(shown: Sequence[Diagnostic], arguments: argparse.Namespace) -> int:
    threshold = Severity.from_label(arguments.fail_on)
    found = any(item.severity >= threshold for item in shown)
    return FOUND if found and not arguments.exit_zero else OK


def _fix(
    request: Request,
    run: Run,
    select: Select,
    arguments: argparse.Namespace,
    refuted: frozenset[str],
    new_reports: NewReports,
) -> int:
    """Fix, and list what is left; of a text on standard input, the text is the result."""
    from jitlint.cli.fixing import fix

    kept = [item for item in shown_of(run, select) if item.fingerprint not in refuted]
    aside = new_reports.set_aside(run.sources.located(kept), run, select)

    def wanted(item: Diagnostic) -> bool:
        return item.lasting_key not in aside and item.fingerprint not in refuted

    done = fix(request, run, select, arguments, wanted)
    failures = [*run.failures, *done.failures]
    for failure in done.failures:
        tell(f"error: {failure}")
    left: Sequence[Diagnostic] = done.run.sources.located(
        [item for item in done.shown if item.fingerprint not in refuted]
    )
    fixed = counted(len(done.fixed), "report")
    if arguments.diff:
        if done.fixed and not arguments.quiet:
            tell(f"would fix {fixed}")
        return FAILED if failures else FOUND if done.fixed else OK
    if arguments.fix_only:
        if not arguments.quiet:
            tell(f"fixed {fixed}")
        left = []
    else:
        new_reports.look_again()
        left = new_reports.among(left, done.run, select)
        summary = not arguments.quiet and (bool(run.targets) or bool(left))
        lines = _render(left, done.run, arguments, summary=summary, fixed=len(done.fixed))
        if request.stdin is None:
            write(lines, arguments.output_file)
        else:
            # Standard output is for the fixed text.
            sys.stderr.writelines(f"{line}\n" for line in lines)
    if failures or any(item.code == INTERNAL_ERROR for item in left):
        return FAILED
    if done.fixed and arguments.exit_non_zero_on_fix:
        return FOUND
    return _code_of(left, arguments)


def _render(
    shown: Sequence[Diagnostic],
    run: Run,
    arguments: argparse.Namespace,
    *,
    summary: bool,
    fixed: int | None = None,
) -> Iterator[str]:
    """The lines to write for the reports."""
    report = Report(
        diagnostics=shown,
        lines_of=run.sources.written,
        folder=Path.cwd(),
        color=uses_color(arguments),
        summary=summary,
        failures=len(run.failures),
        root=run.root,
        fixed=fixed,
        unsafe_fixes=arguments.unsafe_fixes,
    )
    if not arguments.statistics:
        return render(arguments.output_format, report)
    from jitlint.output import json_format, statistics

    if arguments.output_format == "json":
        return json_format.render_objects(statistics.objects(report, run.omissions))
    return statistics.render(report, run.omissions)


def command_line_layer(arguments: argparse.Namespace) -> Layer:
    """What the options say of the rules to report.

    Raises:
      UsageError: a code is wrong.
    """
    checked = {}
    for name in ("select", "extend_select", "ignore"):
        values = getattr(arguments, name)
        if values == []:
            raise UsageError(
                f"--{name.replace('_', '-')}: expected codes or prefixes, such as JIT1,JIT105"
            )
        try:
            checked[name] = None if values is None else check_codes(values)
        except ValueError as error:
            raise UsageError(f"--{name.replace('_', '-')}: {error}") from None
    return Layer(checked["select"], checked["extend_select"] or (), checked["ignore"] or ())


def selector(layer: Layer, arguments: argparse.Namespace) -> Select:
    """What tells the rules to show, by a configuration and the command line."""
    label = arguments.min_severity
    severity = None if label is None else Severity.from_label(label)
    return lambda config: config.selection(layer, severity)

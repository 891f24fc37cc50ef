"""``jitlint verify``."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jitlint.cache.folder import CacheFolder
from jitlint.cli.check import command_line_layer, selector
from jitlint.cli.exit_codes import FAILED, FOUND, INTERRUPTED, OK
from jitlint.cli.running import make_request, run_request
from jitlint.cli.streams import check_writable, tell, uses_color, write
from jitlint.diagnostics import Diagnostic
from jitlint.filters.diagnostic_filter import Select, shown_of
from jitlint.rules.codes import OWN_FAMILY
from jitlint.run.caching import cache_place
from jitlint.run.execution import Run
from jitlint.run.plan import make_plan
from jitlint.run.request import Request
from jitlint.source.document import Document, is_document
from jitlint.source.file_discovery import project_files
from jitlint.usage_errors import UsageError

_SYNTAX_ERROR = "JIT901"

if TYPE_CHECKING:
    from jitlint.verify.driving.verdicts import Verified
    from jitlint.verify.plan import Plan


def verify(arguments: argparse.Namespace) -> int:
    """Run what ``check`` reports under real JAX, and give each report its verdicts.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code: 2 when something that is reported could not be run; else 1 when a report is
      confirmed; with ``--audit``, when one is refuted or a fault was missed.

    Raises:
      UsageError: an option, a path or the configuration is wrong; nothing was run.
    """
    from jitlint.verify.plan import Plan
    from jitlint.verify.recorded import read
    from jitlint.verify.session import verify as run_session

    start = time.monotonic()
    layer = command_line_layer(arguments)
    check_writable(arguments.output_file)
    check_writable(arguments.report, "--report")
    if arguments.cases is not None and not arguments.cases.is_file():
        raise UsageError(f"--cases: no such file: {arguments.cases}")
    for option, least in (("timeout", 0.1), ("time_limit", 0.0)):
        if not getattr(arguments, option) >= least:
            name = option.replace("_", "-")
            raise UsageError(f"--{name}: expected at least {least:g} seconds")
    recorded = None if arguments.recorded is None else read(arguments.recorded)
    request = make_request(arguments)
    if request.stdin is not None:
        raise UsageError("verify runs files, so it cannot take standard input (expected paths)")
    run = run_request(request, arguments)
    shown = run.sources.located(shown_of(run, selector(layer, arguments)))
    reports = [item for item in shown if not item.code.startswith(OWN_FAMILY)]
    documents = _documents(run, reports)
    plan = Plan(
        root=run.root,
        files=_project_files(request, run),
        reports=reports,
        everything=run.sources.located(run.diagnostics),
        platforms=arguments.platform,
        seconds=arguments.timeout,
        search_seconds=arguments.time_limit,
        memory_bytes=int(arguments.memory_limit * 2**30),
        cases=arguments.cases,
        programs=arguments.report is not None,
        recorded=recorded,
        kept=_store(run, arguments),
        traced=[
            item
            for item in run.traced
            if item.filename in documents or not is_document(Path(item.filename))
        ],
        sketched=run.sketched,
        documents=documents,
        also=[path for path in run.targets if not is_document(path)] if arguments.audit else (),
    )
    with _Status(enabled=not arguments.quiet) as status:
        verified = run_session(plan, status.update)
        if arguments.fixes and not verified.interrupted:
            _prove_fixes(request, run, selector(layer, arguments), plan, verified, status)
    verified.not_run += _not_runnable(shown)
    for note in verified.notes:
        tell(f"note: {note}")
    for failure in verified.failures:
        if failure not in verified.not_run:
            tell(f"warning: {failure}")
    for line in verified.not_run:
        tell(f"error: not run: {line}")
    if arguments.write_cases is not None:
        from jitlint.verify.write_cases import write_cases

        try:
            for line in write_cases(verified, run.root, arguments.write_cases):
                tell(f"note: {line}")
        except OSError as error:
            raise UsageError(f"--write-cases: {error.strerror}: {error.filename}") from error
    # Whoever waited did so for the analysis and the trial of fixes, too.
    verified.seconds = time.monotonic() - start
    _write(verified, reports, arguments, summary=not arguments.quiet, run=run)
    if verified.interrupted:
        return INTERRUPTED
    if run.failures or verified.not_run or (reports and verified.jax is None):
        return FAILED
    return _exit_code(verified, reports, arguments)


def _store(run: Run, arguments: argparse.Namespace) -> CacheFolder | None:
    """Where verdicts are kept, if they are."""
    if not arguments.cache:
        return None
    place, _ = cache_place(run.configs.main, arguments.cache_dir, run.root)
    return CacheFolder(place)


def _prove_fixes(
    request: Request,
    run: Run,
    select: Select,
    plan: Plan,
    verified: Verified,
    status: _Status,
) -> None:
    """Try the fixes of what was verified."""
    from jitlint.fixes.rounds import Fixing, fix_all
    from jitlint.verify.proofs import Fixes, is_tried, prove_fixes

    reports = [(number, item) for number, item in enumerate(plan.reports) if is_tried(item)]
    known = {item.lasting_key for _, item in reports}

    def wanted(report: Diagnostic) -> bool:
        return report.lasting_key in known

    texts = {}
    for filename in dict.fromkeys(item.filename for _, item in reports):
        document = run.sources.document(filename)
        if document is not None and document.origins is None and document.encoding == "utf-8":
            texts[filename] = document.text
    outcome = fix_all(Fixing(request, select, unsafe=True, wanted=wanted), run)
    prove_fixes(plan, Fixes(reports, texts, outcome), verified, status.update)


def _not_runnable(shown: Sequence[Diagnostic]) -> list[str]:
    """One line for each file that has reports but is no module that could be run."""
    broken = dict.fromkeys(item.filename for item in shown if item.code == _SYNTAX_ERROR)
    return [f"{filename}: syntax error" for filename in broken]


def _documents(run: Run, reports: Sequence[Diagnostic]) -> dict[str, Document]:
    """The notebooks and the prose among the files with reports."""
    found = {}
    for filename in dict.fromkeys(item.filename for item in reports):
        document = run.sources.document(filename) if is_document(Path(filename)) else None
        if document is not None:
            found[filename] = document
    return found


def _exit_code(
    verified: Verified, reports: Sequence[Diagnostic], arguments: argparse.Namespace
) -> int:
    from jitlint.verify.driving.verdicts import CONFIRMED, REFUTED

    if arguments.audit:
        missed = any(one["implausible"] is None for one in verified.missed)
        return FOUND if verified.count(REFUTED) or missed else OK
    return FOUND if verified.count(CONFIRMED) else OK


def _project_files(request: Request, run: Run) -> list[Path]:
    """The files of the project, which are run with markers."""
    every = project_files(run.root, run.targets, (), make_plan(request).exclude)
    found = dict.fromkeys([*run.targets, *every])
    return [path for path in found if not is_document(path)]


def _write(
    verified: Verified,
    reports: Sequence[Diagnostic],
    arguments: argparse.Namespace,
    *,
    summary: bool,
    run: Run,
) -> None:
    if arguments.output_format == "json":
        text = json.dumps(verified.to_json(), indent=2)
        write(text.splitlines(), arguments.output_file)
    elif arguments.output_format == "full":
        from jitlint.output.colors import Painter
        from jitlint.verify.verdict_text import render

        painter = Painter(uses_color(arguments))
        write(render(verified, Path.cwd(), painter, summary=summary), arguments.output_file)
    else:
        from jitlint.output.formats import render as render_reports
        from jitlint.output.report import Report
        from jitlint.verify.verdict_text import judgements

        report = Report(
            diagnostics=reports,
            lines_of=run.sources.written,
            folder=Path.cwd(),
            failures=len(run.failures) + len(verified.not_run),
            root=run.root,
            judgements=judgements(verified),
        )
        write(render_reports(arguments.output_format, report), arguments.output_file)
    if arguments.report is not None:
        from jitlint.verify.html_report import page

        def lines(filename: str, cell: int | None) -> Sequence[str] | None:
            document = run.sources.document(filename)
            return None if document is None else document.written(cell)

        write(page(verified, Path.cwd(), lines), arguments.report)


class _Status:
    """One line on a terminal that says what is being run; a context manager."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr.isatty()

    def __enter__(self) -> _Status:
        return self

    def __exit__(self, *_: object) -> None:
        if self._enabled:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def update(self, done: int, total: int, filename: str, doing: str = "") -> None:
        """Say how far it is.

        Args:
          done: how many modules are finished.
          total: of how many.
          filename: the one that is run now.
          doing: what is tried of it.
        """
        if self._enabled:
            filled = 20 * done // max(total, 1)
            bar = "#" * filled + "." * (20 - filled)
            name = Path(filename).name
            text = f"[{bar}] {done}/{total} running {name}" + (f": {doing}" if doing else "")
            # What is longer than a row could not be written over.
            sys.stderr.write(f"\r{text[: shutil.get_terminal_size().columns - 1]}\x1b[K")
            sys.stderr.flush()

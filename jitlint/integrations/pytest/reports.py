"""``pytest --jitlint``: each report is a test that fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from jitlint.config.rule_selection import Layer
from jitlint.diagnostics import Diagnostic
from jitlint.filters.diagnostic_filter import shown_of
from jitlint.output.full import render
from jitlint.output.report import Report
from jitlint.run.execution import Run
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.source.file_discovery import absolute_path
from jitlint.usage_errors import UsageError

#: the test of a file without reports
_CLEAN = "jitlint"


class Linted:
    """One run of the engine, by file.

    Args:
      paths: files and folders.
      folder: what names are shown relative to.

    Raises:
      pytest.UsageError: a path or the configuration is wrong.
    """

    def __init__(self, paths: Iterable[Path], folder: Path) -> None:
        try:
            self.run: Run = run(Request(paths=tuple(paths), cache=True))
            self.shown = shown_of(self.run, lambda config: config.selection(Layer(), None))
        except UsageError as error:
            raise pytest.UsageError(f"jitlint: {error}") from None
        self.targets = frozenset(self.run.targets)
        self._folder = folder

    @cached_property
    def by_file(self) -> dict[Path, list[Diagnostic]]:
        """The reports to show, by file."""
        found: dict[Path, list[Diagnostic]] = {}
        for item in self.shown:
            found.setdefault(Path(item.filename), []).append(item)
        return found

    def text(self, item: Diagnostic) -> str:
        """A report for people."""
        return "\n".join(
            render(
                Report(
                    diagnostics=[item],
                    lines_of=self.run.sources.written,
                    folder=self._folder,
                    summary=False,
                    root=self.run.root,
                )
            )
        ).rstrip()


class Reports:
    """The plugin behind the option.

    Args:
      config: pytest's.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @cached_property
    def _linted(self) -> Linted:
        given = (Path(name.partition("::")[0]) for name in self._config.args)
        folder = self._config.invocation_params.dir
        paths = [folder / path for path in given if (folder / path).exists()]
        return Linted(paths or [folder], folder)

    def pytest_collection(self) -> None:
        """Lint before anything is collected, so that a mistake is one of usage."""
        assert self._linted is not None

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """The reports of a file, if it is linted at all."""
        path = absolute_path(file_path)
        if path not in self._linted.targets:
            return None
        made: LintedFile = LintedFile.from_parent(parent, path=file_path)
        made.linted = self._linted
        made.reports = self._linted.by_file.get(path, [])
        return made

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail where a file could not be read."""
        if "_linted" in vars(self) and self._linted.run.failures and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what could not be read."""
        failures = self._linted.run.failures if "_linted" in vars(self) else ()
        for failure in failures:
            terminalreporter.write_line(f"jitlint: {failure}", red=True)


class LintedFile(pytest.File):
    """A file that is linted."""

    linted: Linted
    reports: Sequence[Diagnostic]

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """One collector for each rule that reports, or one test that passes."""
        if not self.reports:
            yield CleanFile.from_parent(self, name=_CLEAN)
        for code in dict.fromkeys(item.code for item in self.reports):
            made: Rule = Rule.from_parent(self, name=code)
            made.linted = self.linted
            made.reports = [item for item in self.reports if item.code == code]
            yield made


class Rule(pytest.Collector):
    """The reports of one rule in a file."""

    linted: Linted
    reports: Sequence[Diagnostic]

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each report."""
        taken: set[str] = set()
        for item in self.reports:
            row = str(item.location.row)
            name = row if item.cell is None else f"cell{item.cell}:{row}"
            if name in taken:
                name = f"{name}:{item.location.column}"
            taken.add(name)
            made: Reported = Reported.from_parent(self, name=name)
            made.text = self.linted.text(item)
            made.diagnostic = item
            yield made


class CleanFile(pytest.Item):
    """A file without reports."""

    def runtest(self) -> None:
        """Pass."""

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands, and what it is called."""
        return self.path, None, "jitlint"


class Reported(pytest.Item):
    """A report."""

    diagnostic: Diagnostic
    text: str

    def runtest(self) -> None:
        """Fail."""
        raise ReportedError(self.text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report itself, in place of a traceback."""
        if isinstance(excinfo.value, ReportedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands, and what it is called."""
        item = self.diagnostic
        return self.path, item.location.row - 1, f"{item.code} {item.name}"


class ReportedError(Exception):
    """What a report raises where it is run as a test."""

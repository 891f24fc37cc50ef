"""A scripted engine, so that the command line is tested apart from what it frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import jitlint.analysis.engine
from jitlint.analysis.parts.listings import Listing
from jitlint.cache.runs import RunCache
from jitlint.cli.main import main
from jitlint.diagnostics import (
    Diagnostic,
    Location,
    OmissionReport,
    Severity,
    TracedFunctionReport,
    TraceStep,
)


@dataclass
class ScriptedEngine:
    """Reports what a test told it to, and remembers how it was called."""

    #: file name (as the last part of the path), code, severity, row
    findings: list[tuple[str, str, Severity, int]] = field(default_factory=list)
    omissions: list[OmissionReport] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    before: Callable[[], None] | None = None
    error: BaseException | None = None

    def __call__(self, root: Path, targets: list[Path], **keywords: Any) -> Any:
        self.calls.append({"root": root, "targets": list(targets), **keywords})
        if self.before is not None:
            self.before()
        if self.error is not None:
            raise self.error
        by_name = {path.name: path for path in targets}
        diagnostics = [
            Diagnostic(
                code=code,
                name="rule-name",
                severity=severity,
                message="something is traced here",
                help="do something else",
                filename=str(by_name[name]),
                location=Location(row, 1),
                end_location=Location(row, 2),
                function="f",
                trace=(),
                hazard=None,
                noqa_row=row,
                fingerprint="",
            )
            for name, code, severity, row in self.findings
            if name in by_name
        ]
        traced = [
            TracedFunctionReport(
                str(path),
                2,
                "f",
                "jax.jit",
                {"x": "traced", "n": "static"},
                (TraceStep(str(path), 1, 2, "traced by jax.jit"),),
            )
            for path in targets
        ]
        return jitlint.analysis.engine.Analysis(
            tuple(diagnostics),
            len(targets),
            0.0,
            lambda: Listing(tuple(traced), ()),
            tuple(targets),
            lambda: tuple(self.omissions),
        )


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> ScriptedEngine:
    scripted = ScriptedEngine()
    monkeypatch.setattr(jitlint.analysis.engine, "analyze", scripted)
    # What it says has nothing to do with what is in the files, so nothing of it may be kept.
    monkeypatch.setattr(RunCache, "find", lambda self, look: None)
    return scripted


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, and the current folder."""
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def jitlint_run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    def run(*arguments: str | Path) -> Result:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run

"""Which reports are shown."""

from pathlib import Path

from jitlint.config.configuration import Config
from jitlint.config.nearest import Configurations
from jitlint.config.rule_selection import Layer, Selection, select_rules
from jitlint.diagnostics import Diagnostic, Location, Severity
from jitlint.filters.diagnostic_filter import Filter

CODES = ("JIT101", "JIT201", "JIT404", "JIT900", "JIT901")


def chosen(selection: Selection, ignores: dict[str, tuple[str, ...]], text: str) -> Filter:
    config = Config(base=Path("/p"), per_file_ignores=ignores)
    return Filter(Configurations(Path("/p"), config), lambda _: selection, lambda _: text)


def report(
    code: str = "JIT101",
    severity: Severity = Severity.ERROR,
    filename: str = "/p/a.py",
    row: int = 1,
) -> Diagnostic:
    return Diagnostic(
        code=code,
        name="rule",
        severity=severity,
        message="message",
        help=None,
        filename=filename,
        location=Location(row, 1),
        end_location=Location(row, 2),
        function=None,
        trace=(),
        hazard=None,
        noqa_row=row,
        fingerprint="",
    )


def test_severity_and_exact_codes():
    info = report("JIT404", Severity.INFO)
    assert not select_rules(CODES, [Layer()], Severity.WARNING).shows(info)
    assert select_rules(CODES, [Layer()], Severity.INFO).shows(info)
    assert select_rules(CODES, [Layer(select=("JIT404",))], Severity.WARNING).shows(info)
    assert not select_rules(CODES, [Layer(select=("JIT40",))], Severity.WARNING).shows(info)


def test_an_internal_error_cannot_be_hidden():
    selection = select_rules(CODES, [Layer(ignore=("JIT900", "JIT9"))], Severity.ERROR)
    text = "# jitlint: ignore-file\n"
    shown = chosen(selection, {"*": ("JIT9",)}, text)
    assert [item.code for item in shown.apply([report("JIT900"), report("JIT901")])] == ["JIT900"]


def test_per_file_ignores():
    selection = select_rules(CODES, [Layer()], Severity.WARNING)
    shown = chosen(selection, {"tests": ("JIT1",), "conf*.py": ("JIT2",)}, "")
    reports = [
        report("JIT101", filename="/p/a.py"),
        report("JIT201", filename="/p/conftest.py"),
        report("JIT101", filename="/p/tests/deep/b.py"),
        report("JIT201", filename="/p/tests/deep/b.py"),
    ]
    kept = [(item.filename, item.code) for item in shown.apply(reports)]
    assert kept == [("/p/a.py", "JIT101"), ("/p/tests/deep/b.py", "JIT201")]


def test_comments_suppress_by_row():
    selection = select_rules(CODES, [Layer()], Severity.WARNING)
    text = "a\nb  # noqa: JIT1\n"
    shown = chosen(selection, {}, text)
    assert [item.location.row for item in shown.apply([report(row=1), report(row=2)])] == [1]

"""Which reports are shown."""

from pathlib import Path

import pytest

from jitlint.diagnostics import Diagnostic, Location, Severity
from jitlint.selection import Filter, Layer, check_codes, select_rules

CODES = ("JIT101", "JIT102", "JIT105", "JIT201", "JIT404", "JIT900", "JIT901")
OWN = {"JIT900", "JIT901"}


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


def enabled(*layers: Layer) -> set[str]:
    return set(select_rules(CODES, layers, Severity.WARNING).enabled)


def test_everything_by_default():
    assert enabled(Layer()) == set(CODES)


def test_select_keeps_what_jitlint_says_about_itself():
    assert enabled(Layer(select=("JIT2",))) == {"JIT201"} | OWN
    assert enabled(Layer(select=("JIT2",), ignore=("JIT901",))) == {"JIT201", "JIT900"}


def test_the_more_exact_choice_wins_within_a_layer():
    assert enabled(Layer(select=("JIT1",), ignore=("JIT101",))) == {"JIT102", "JIT105"} | OWN
    assert enabled(Layer(select=("JIT101",), ignore=("JIT1",))) == {"JIT101"} | OWN
    assert "JIT101" not in enabled(Layer(select=("JIT101",), ignore=("JIT101",)))


def test_the_command_line_goes_over_the_configuration():
    configured = Layer(select=("JIT1",), ignore=("JIT101",))
    assert "JIT101" in enabled(configured, Layer(extend_select=("JIT101",)))
    assert enabled(configured, Layer(select=("JIT2",))) == {"JIT201"} | OWN
    assert enabled(configured, Layer(ignore=("JIT102",))) == {"JIT105"} | OWN


def test_severity_and_exact_codes():
    info = report("JIT404", Severity.INFO)
    assert not select_rules(CODES, [Layer()], Severity.WARNING).shows(info)
    assert select_rules(CODES, [Layer()], Severity.INFO).shows(info)
    assert select_rules(CODES, [Layer(select=("JIT404",))], Severity.WARNING).shows(info)
    assert not select_rules(CODES, [Layer(select=("JIT40",))], Severity.WARNING).shows(info)


def test_an_internal_error_cannot_be_hidden():
    selection = select_rules(CODES, [Layer(ignore=("JIT900", "JIT9"))], Severity.ERROR)
    text = "# jitlint: ignore-file\n"
    shown = Filter(selection, {"*": ("JIT9",)}, Path("/p"), lambda _: text)
    assert [item.code for item in shown.apply([report("JIT900"), report("JIT901")])] == ["JIT900"]


def test_per_file_ignores():
    selection = select_rules(CODES, [Layer()], Severity.WARNING)
    shown = Filter(selection, {"tests": ("JIT1",), "conf*.py": ("JIT2",)}, Path("/p"), lambda _: "")
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
    shown = Filter(selection, {}, Path("/p"), lambda _: text)
    assert [item.location.row for item in shown.apply([report(row=1), report(row=2)])] == [1]


def test_codes_are_checked():
    assert check_codes(["jit1", " JIT101 "]) == ("JIT1", "JIT101")
    for wrong in ("JIT8", "E501", "", "J", "JIT1010"):
        with pytest.raises(ValueError, match="JIT101"):
            check_codes([wrong])

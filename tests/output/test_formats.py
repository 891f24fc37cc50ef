"""The formats of ``check``."""

import io
import json
from pathlib import Path

import pytest

from jitlint.diagnostics import (
    Diagnostic,
    Hazard,
    Location,
    Severity,
    TracedFunctionReport,
    TraceStep,
)
from jitlint.jaxmodel.transforms import APPLIED, ASSUMED
from jitlint.output.colors import Painter, wants_color
from jitlint.output.formats import FORMATS, render
from jitlint.output.progress import ProgressBar
from jitlint.output.report import Report, summary_line
from jitlint.output.traced_functions import render as render_traced
from jitlint.rules.addresses import page_address

SOURCE = """\
import jax

@jax.jit
def train_step(params, best):
    loss = loss_fn(params)
    if loss < best:
        best = loss
    return best
"""
REPORT = Diagnostic(
    code="JIT101",
    name="branch-on-traced-value",
    severity=Severity.ERROR,
    message="`loss < best` is traced here: `if` needs a Python bool",
    help="use `jnp.where` or `jax.lax.cond`",
    filename="/project/train.py",
    location=Location(6, 8),
    end_location=Location(6, 19),
    function="train_step",
    trace=(
        TraceStep("/project/train.py", 3, 2, "traced by jax.jit"),
        TraceStep("/project/train.py", 4, 16, "`params` is an argument", certainty="declared"),
    ),
    hazard=Hazard("raises", ("jax.errors.TracerBoolConversionError",)),
    noqa_row=6,
    fingerprint="0123",
)


def changed(**fields: object) -> Diagnostic:
    values = {name: getattr(REPORT, name) for name in REPORT.__slots__}
    return Diagnostic(**{**values, **fields})


def rendered(name: str, *reports: Diagnostic, source: str = SOURCE, **fields: object) -> str:
    report = Report(
        diagnostics=reports,
        lines_of=lambda _: source.split("\n"),
        folder=Path("/project"),
        **fields,
    )
    return "\n".join(render(name, report)) + "\n"


def test_full():
    assert rendered("full", REPORT) == (
        "error[JIT101]: `loss < best` is traced here: `if` needs a Python bool\n"
        " --> train.py:6:8 in train_step\n"
        "  |\n"
        "5 |     loss = loss_fn(params)\n"
        "6 |     if loss < best:\n"
        "  |        ^^^^^^^^^^^\n"
        "7 |         best = loss\n"
        "  |\n"
        "  = why: train.py:3:2: traced by jax.jit\n"
        "         train.py:4:16: `params` is an argument\n"
        "  = help: use `jnp.where` or `jax.lax.cond`\n"
        "\n"
        "Found 1 error in 1 file.\n"
    )


def test_a_long_chain_is_shown_by_its_ends():
    steps = tuple(TraceStep("/project/a.py", row, 1, f"called by f{row}") for row in range(1, 31))
    text = rendered("full", changed(trace=steps))
    assert text.count("called by") == 8
    assert "(22 more steps)" in text
    assert "called by f1\n" in text
    assert "called by f30\n" in text


def test_long_help_is_wrapped():
    text = rendered("full", changed(help="word " * 60))
    assert max(map(len, text.splitlines())) < 110
    assert text.count("word") == 60


def test_concise():
    assert rendered("concise", REPORT) == (
        "train.py:6:8: JIT101 `loss < best` is traced here: `if` needs a Python bool\n"
        "Found 1 error in 1 file.\n"
    )


def test_grouped():
    later = changed(location=Location(12, 1), code="JIT102", message="again")
    cell = changed(filename="/project/n.ipynb", cell=3)
    assert rendered("grouped", REPORT, later, cell) == (
        "train.py:\n"
        "  6:8   JIT101 `loss < best` is traced here: `if` needs a Python bool\n"
        "  12:1  JIT102 again\n"
        "\n"
        "n.ipynb:\n"
        "  cell 3:6:8  JIT101 `loss < best` is traced here: `if` needs a Python bool\n"
        "\n"
        "Found 3 errors in 2 files.\n"
    )
    assert rendered("grouped") == "All checks passed!\n"


def test_json():
    (item,) = json.loads(rendered("json", REPORT))
    assert item == {
        "code": "JIT101",
        "name": "branch-on-traced-value",
        "severity": "error",
        "certainty": "declared",
        "message": "`loss < best` is traced here: `if` needs a Python bool",
        "help": "use `jnp.where` or `jax.lax.cond`",
        "filename": "/project/train.py",
        "cell": None,
        "location": {"row": 6, "column": 8},
        "end_location": {"row": 6, "column": 19},
        "function": "train_step",
        "trace": [
            {
                "filename": "/project/train.py",
                "row": 3,
                "column": 2,
                "note": "traced by jax.jit",
                "certainty": "seen",
            },
            {
                "filename": "/project/train.py",
                "row": 4,
                "column": 16,
                "note": "`params` is an argument",
                "certainty": "declared",
            },
        ],
        "hazard": {"kind": "raises", "exceptions": ["jax.errors.TracerBoolConversionError"]},
        "fix": None,
        "noqa_row": 6,
        "fingerprint": "0123",
        "url": page_address("JIT101"),
    }


def test_nothing_found():
    assert rendered("full") == "All checks passed!\n"
    assert rendered("full", failures=2) == "No reports, but 2 files could not be checked.\n"
    assert rendered("concise", summary=False) == "\n"
    assert json.loads(rendered("json")) == []


def test_summary_counts_by_severity_and_file():
    reports = [
        REPORT,
        changed(filename="/project/b.py"),
        changed(severity=Severity.WARNING),
        changed(severity=Severity.INFO),
        changed(severity=Severity.INFO),
    ]
    report = Report(reports, lambda _: None, Path("/project"))
    assert summary_line(report) == "Found 2 errors, 1 warning and 2 info in 2 files."


def caret_line(source: str, start: int, end: int, row: int = 1, end_row: int | None = None) -> str:
    item = changed(
        location=Location(row, start),
        end_location=Location(end_row or row, end),
        trace=(),
        help=None,
    )
    lines = rendered("full", item, source=source).splitlines()
    (position,) = [number for number, line in enumerate(lines) if "^" in line]
    code, caret = lines[position - 1], lines[position]
    return code[caret.index("^") : caret.rindex("^") + 1]


@pytest.mark.parametrize(
    ("source", "start", "end", "marked"),
    [
        ("if x > 0: pass", 4, 9, "x > 0"),
        ("\tif x:", 5, 6, "x"),
        ("é = int(x)", 5, 11, "int(x)"),
        ("x", 1, 2, "x"),
        (" " * 500 + "int(x)" + " + 1" * 500, 501, 507, "int(x)"),
        ("y = " + "x + " * 5000 + "int(x)", 20005, 20011, "int(x)"),
    ],
)
def test_the_caret_stands_under_the_place(source, start, end, marked):
    assert caret_line(source, start, end) == marked


def test_the_caret_counts_wide_characters_twice():
    lines = rendered(
        "full",
        changed(location=Location(1, 10), end_location=Location(1, 11)),
        source="s = '数'; x",
    ).splitlines()
    assert lines[4].index("^") == lines[3].index("x") + 1


def test_a_place_over_several_lines_is_marked_to_the_end_of_the_first():
    assert caret_line("z = int(\n    x\n)", 5, 2, end_row=3) == "int("


def test_long_lines_are_cut():
    source = "y = " + "x + " * 500_000 + "int(x)"
    text = rendered(
        "full", changed(location=Location(1, 9), end_location=Location(1, 10)), source=source
    )
    assert max(map(len, text.splitlines())) < 200


def test_a_place_past_the_end_of_the_file_is_named_without_source():
    text = rendered("full", changed(location=Location(99, 1), end_location=Location(99, 2)))
    assert "--> train.py:99:1" in text
    assert "^" not in text


def test_source_that_cannot_be_had():
    report = Report([REPORT], lambda _: None, Path("/"))
    text = "\n".join(render("full", report))
    assert "--> project/train.py:6:8" in text


def test_control_characters_do_not_reach_the_terminal():
    item = changed(
        message="`\x1b[2J`", filename="/project/\x1b]0;x\x07.py", location=Location(1, 1)
    )
    for name in FORMATS:
        assert "\x1b" not in rendered(name, item, source="x = '\x1b[2J'")


def test_names_outside_the_folder_are_absolute():
    assert rendered("concise", changed(filename="/other/a.py")).startswith("/other/a.py:6:8:")
    assert rendered("concise", changed(filename="/projects/a.py")).startswith("/projects/a.py:")


def test_color_only_adds_escapes():
    import re

    colored = rendered("full", REPORT, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == rendered("full", REPORT)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_when_color_is_wanted(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_color("auto", Terminal())
    assert not wants_color("auto", io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_color("auto", Terminal())
    assert wants_color("always", io.StringIO())
    monkeypatch.setenv("NO_COLOR", "")
    assert wants_color("auto", Terminal())
    assert not wants_color("never", Terminal())


def test_progress_bar_waits_and_cleans_up(monkeypatch):
    import jitlint.output.progress as progress

    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    terminal = Terminal()
    with ProgressBar(terminal) as bar:
        bar.update(1, 10)
        assert terminal.getvalue() == ""
        now = 2.0
        bar.update(5, 10)
        assert "5/10 files" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    silent = io.StringIO()
    now = 0.0
    with ProgressBar(silent) as bar:
        now = 9.0
        bar.update(5, 10)
    assert silent.getvalue() == ""


def test_traced_functions_say_who_traces_them_in_plain_words():
    def listed(qualname, transform):
        item = TracedFunctionReport("/project/net.py", 3, qualname, transform, {"x": "traced"}, ())
        assert item.to_json()["transform"] == transform
        (first, _) = render_traced([item], Path("/project"), Painter(False), summary=False)
        return first

    assert listed("f", "jax.jit, jax.vmap") == "net.py:3: f by jax.jit, jax.vmap"
    for transform in (ASSUMED, *APPLIED.values()):
        assert listed("f", f"jax.jit, {transform}").startswith(
            "net.py:3: f by jax.jit, its users ("
        )
        assert "jitlint." not in listed("f", transform)


def test_reports_that_rest_on_the_same_guess_are_told_once() -> None:
    guess = TraceStep("/project/train.py", 4, 16, "`best` is a parameter", certainty="guessed")
    trace = (REPORT.trace[0], guess)
    first = changed(trace=trace, severity=Severity.WARNING)
    second = changed(trace=trace, code="JIT102", location=Location(7, 9))
    third = changed(trace=trace, location=Location(2, 5), cell=3)
    other = changed(location=Location(8, 5))
    text = rendered("full", first, second, other, third)
    assert text.count("-->") == 2
    assert "= also: on the same guess rest those at 7:9 (JIT102), cell 3:2:5 (JIT101)" in text
    for name in ("concise", "json", "grouped"):
        assert "also" not in rendered(name, first, second, other, third)
    assert len(json.loads(rendered("json", first, second, other, third))) == 4

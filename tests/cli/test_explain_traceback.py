"""``jitlint explain --traceback``: what it says, and its exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

PASTES = Path(__file__).parents[1] / "tracebacks" / "pastes"
UNKNOWN = "KeyError: 'loss'\n"
CARRY = (
    "TypeError: scan body function carry input and carry output must have equal types, but they "
    "differ:\n"
)
AMBIGUOUS = """\
Traceback (most recent call last):
  File "plot.py", line 2, in <module>
    if values > 0:
       ^^^^^^^^^^
ValueError: The truth value of an array with more than one element is ambiguous. Use a.any()
"""


@pytest.fixture
def checkout(project: Path) -> Path:
    for name in ("steps.py", "test_steps.py"):
        (project / name).write_text((PASTES / "steps.txt").read_text())
    return project


def test_the_users_line_and_what_check_says(checkout, jitlint_run):
    result = jitlint_run("explain", "--traceback", PASTES / "python311.txt")
    assert result.code == 0
    for part in (
        "TracerBoolConversionError: Attempted boolean conversion",
        "error[JIT101]: `y > 0` is traced here",
        "--> steps.py:10:9 in inner",
        "10 |     if (y > 0",
        "   |         ^^^^^\n",
        "why: steps.py:6:2: traced by jax.jit",
        "= help: Select values with jnp.where",
        "'jitlint check' reports this line.",
        "'jitlint explain JIT101'",
        "1 error: a rule speaks of it.",
    ):
        assert part in result.out


def test_a_file_that_is_not_here(project, jitlint_run):
    result = jitlint_run("explain", "--traceback", PASTES / "python311.txt")
    assert result.code == 0
    assert "error[JIT101]: Python needed to know whether" in result.out
    assert "not on this machine" in result.out
    assert "10 | if (y > 0" in result.out
    assert "   |     ^^^^^" in result.out
    assert "JAX was tracing inner (steps.py:6) for jit" in result.out


def test_a_file_that_has_changed(checkout, jitlint_run):
    (checkout / "steps.py").write_text("\n" + (PASTES / "steps.txt").read_text())
    result = jitlint_run("explain", "--traceback", PASTES / "python311.txt")
    assert result.code == 0
    assert "it has changed since" in result.out


def test_a_leak_is_shown_where_the_value_escaped(checkout, jitlint_run):
    result = jitlint_run("explain", "--traceback", PASTES / "leak.txt")
    assert result.code == 0
    assert "error[JIT202]" in result.out
    assert "steps.py:19:9 in test_leak.keep" in result.out
    assert "used at" in result.out and "steps.py:22" in result.out


def test_several(checkout, jitlint_run):
    result = jitlint_run("explain", "--traceback", PASTES / "pytest_long.txt")
    assert result.code == 0
    found = [line for line in result.lines if line.startswith("error[")]
    assert [line[6:12] for line in found] == ["JIT101", "JIT202", "JIT105"]
    assert "3 errors: all of them a rule's." in result.out


def test_standard_input(checkout, jitlint_run, monkeypatch):
    text = (PASTES / "ipython_coloured.txt").read_bytes()
    for option in (["--traceback"], ["--traceback", "-"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        result = jitlint_run("explain", *option)
        assert result.code == 0
        assert "--> Cell In[1]:4:5 in f" in result.out
        assert "--> steps.py:10:9 in inner" in result.out


@pytest.mark.parametrize(
    ("text", "code", "parts"),
    [
        (UNKNOWN, 1, ["no rule", "KeyError", "does not know this error"]),
        (CARRY, 1, ["error[no rule]", "no rule of jitlint speaks of this", "jnp.zeros_like"]),
        (AMBIGUOUS, 1, ["no rule", "plot.py:2"]),
        ("TracerArrayConversionError", 0, ["JIT106, JIT107 or JIT105", "names no line"]),
        (UNKNOWN + "\n" + (PASTES / "python311.txt").read_text(), 0, ["JIT101"]),
    ],
)
def test_exit_codes(project, jitlint_run, text, code, parts):
    (project / "paste.txt").write_text(text)
    result = jitlint_run("explain", "--traceback", "paste.txt")
    assert result.code == code
    for part in parts:
        assert part in result.out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--traceback", "nowhere.txt"], "cannot read nowhere.txt"),
        (["--traceback", "empty.txt"], "no traceback"),
        (["JIT101", "--traceback", "empty.txt"], "one of"),
        (["JIT101", "--all"], "one of"),
        (["--all", "--traceback", "empty.txt"], "one of"),
        ([], "one of a rule"),
        (["JIT101", "--output-file", "no/such/folder/page"], "no such folder"),
    ],
)
def test_what_cannot_be_done(project, jitlint_run, arguments, part):
    (project / "empty.txt").write_text("hello\n")
    result = jitlint_run("explain", *arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert part in result.err


def test_json(checkout, jitlint_run):
    result = jitlint_run(
        "explain", "--traceback", PASTES / "pytest_short.txt", "--output-format", "json"
    )
    assert result.code == 0
    first, second, third = json.loads(result.out)
    assert first["rules"] == ["JIT101"]
    assert first["location"] == {"row": 10, "column": 9, "end_column": 14}
    assert first["filename"] == str(checkout / "test_steps.py")
    assert first["on_disk"] is True
    assert first["report"]["code"] == "JIT101"
    assert second["exception"] == "jax.errors.UnexpectedTracerError"
    assert second["report"]["location"]["row"] == 19
    assert third["rules"] == ["JIT105"]


def test_a_page_as_json_and_into_a_file(project, jitlint_run):
    (item,) = json.loads(jitlint_run("explain", "JIT101", "--output-format", "json").out)
    assert item["name"] == "branch-on-traced-value"
    assert jitlint_run("explain", "JIT101", "--output-file", "page.md").out == ""
    assert (project / "page.md").read_text().startswith("# JIT101")

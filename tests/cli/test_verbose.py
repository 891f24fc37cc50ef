"""``check --verbose``: what of the traced code was not analysed."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.diagnostics import OmissionReport

_SOURCE = """\
import jax


def solve(method, x):
    @jax.jit
    def step(x):
        return method(x) + 1

    return step(x)
"""


@pytest.fixture
def source(project: Path) -> Path:
    path = project / "solver.py"
    path.write_text(_SOURCE)
    return path


def test_the_places_are_listed_on_standard_error(source, jitlint_run):
    result = jitlint_run("check", "--verbose")
    assert (result.code, result.out) == (0, "All checks passed!\n")
    header, place = result.err.splitlines()
    assert header.endswith("Not analysed, although JAX traces it: 1 place.")
    assert "solver.py:7:16: unknown-callee: what `method(x)` calls" in place
    assert place.endswith("(in `solve.step`)")


def test_an_empty_list_says_that_all_was_analysed(project, jitlint_run):
    (project / "clean.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n")
    result = jitlint_run("check", "--verbose")
    assert result.err.endswith("Everything that was recognised as traced was analysed.\n")


def test_what_earlier_runs_found_does_not_hide_it(source, jitlint_run):
    said = jitlint_run("check", "--verbose").err
    assert "unknown-callee" in said
    jitlint_run("check")
    assert jitlint_run("check", "--verbose").err == said
    assert jitlint_run("check", "--verbose", "--jobs", "2").err == said


def test_formats_for_programs_stay_as_they_are(source, jitlint_run):
    assert jitlint_run("check", "--verbose", "--output-format", "json").out == "[]\n"


def test_only_what_is_in_the_targets_is_told(source, project, jitlint_run):
    (project / "other.py").write_text("import jax\n")
    assert "unknown-callee" not in jitlint_run("check", "--verbose", "other.py").err


def test_long_lists_are_cut(source, engine, jitlint_run):
    engine.omissions = [
        OmissionReport(str(source), row, 1, "depth", f"sentence {row}", "f") for row in range(1, 31)
    ]
    lines = jitlint_run("check", "-v").err.splitlines()
    assert len(lines) == 22
    assert lines[-1].endswith("... and 10 more of depth")

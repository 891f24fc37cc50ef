"""``trust-tests``: errors that a test of the project would run into."""

from __future__ import annotations

import pytest

LIBRARY = """\
import jax


def clipped(x):
    if x > 0:
        return x
    return -x


@jax.jit
def doubled(x):
    if x > 0:
        return x
    return 2 * x
"""
TESTS = """\
import jax

from library import clipped


def test_clipped():
    assert jax.jit(clipped)(1.0) == 1.0


@jax.jit
def of_its_own(x):
    return float(x)
"""
ALL = ["library.py:5:8 JIT101", "library.py:12:8 JIT101", "test_library.py:12:12 JIT105"]


@pytest.fixture
def lint(project, jitlint_run):
    (project / "library.py").write_text(LIBRARY)
    (project / "test_library.py").write_text(TESTS)

    def run(*arguments):
        result = jitlint_run("check", "--output-format", "concise", *arguments)
        lines = [line.split(": JIT") for line in result.lines if ": JIT" in line]
        found = [f"{where} JIT{rest.split(' ')[0]}" for where, rest in lines]
        return found, result.err

    return run


def test_tests_are_not_trusted_by_themselves(lint):
    assert lint("--verbose")[0] == ALL


def test_what_a_test_runs_is_left_to_it(project, lint):
    (project / "jitlint.toml").write_text("trust-tests = true\n")
    found, err = lint("--verbose")
    # No test leads to the second one, and the third is of the test itself.
    assert found == ALL[1:]
    assert (
        "library.py:5:8: trust-tests: JIT101 was withheld, a test runs it: test_library.py:7" in err
    )


def test_the_key_holds_for_the_files_of_its_configuration(project, lint):
    (project / "setup.cfg").write_text("[jitlint]\ntrust-tests = perhaps\n")
    assert "trust-tests: expected true or false, got 'perhaps'" in lint()[1]
    (project / "setup.cfg").write_text("[jitlint]\ntrust-tests = True\n")
    assert lint() == (ALL[1:], lint()[1])
    (project / "setup.cfg").unlink()
    assert lint()[0] == ALL

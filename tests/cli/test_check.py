"""``jitlint check``: exit codes, the input table, options; with a scripted engine."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from jitlint.diagnostics import Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


@pytest.fixture
def two_files(project):
    (project / "a.py").write_text("import jax\nx = 1\n")
    (project / "pkg").mkdir()
    (project / "pkg" / "b.py").write_text("import jax\ny = 1\n")
    return project


class TestWithoutACommand:
    """A path, or an option, in the place of a command means ``check``."""

    @pytest.mark.parametrize(
        "arguments",
        [[], ["pkg"], ["."], ["pkg/b.py"], ["--select", "JIT1"], ["-q"], ["--exit-zero", "a.py"]],
    )
    def test_check_is_meant(self, two_files, engine, jitlint_run, arguments):
        engine.findings = [("b.py", "JIT101", ERROR, 1)]
        meant = jitlint_run("check", *arguments)
        assert jitlint_run(*arguments) == meant if arguments else meant.code == 1

    def test_a_folder_named_like_a_command_needs_it(self, two_files, engine, jitlint_run):
        (two_files / "rules").mkdir()
        assert "branch-on-traced-value" in jitlint_run("rules").out
        assert jitlint_run("./rules").code == 0

    def test_short_options(self, two_files, engine, jitlint_run):
        assert jitlint_run("-V") == jitlint_run("--version")
        engine.findings = [("b.py", "JIT101", ERROR, 1)]
        result = jitlint_run("-j", "2", "-o", "out.txt", "--output-format", "concise")
        assert (result.code, result.out) == (1, "")
        assert "JIT101" in (two_files / "out.txt").read_text()

    def test_rule_is_explain(self, jitlint_run):
        assert jitlint_run("rule", "JIT101") == jitlint_run("explain", "JIT101")


class TestExitCodes:
    def test_clean(self, two_files, engine, jitlint_run):
        result = jitlint_run("check")
        assert (result.code, result.out, result.err) == (0, "All checks passed!\n", "")

    def test_reports(self, two_files, engine, jitlint_run):
        engine.findings = [("a.py", "JIT101", ERROR, 2), ("b.py", "JIT102", WARNING, 1)]
        result = jitlint_run("check", "--output-format", "concise")
        assert result.code == 1
        assert result.lines == [
            "a.py:2:1: JIT101 something is traced here",
            "pkg/b.py:1:1: JIT102 something is traced here",
            "Found 1 error and 1 warning in 2 files.",
        ]

    def test_exit_zero(self, two_files, engine, jitlint_run):
        engine.findings = [("a.py", "JIT101", ERROR, 2)]
        result = jitlint_run("check", "--exit-zero")
        assert result.code == 0
        assert "JIT101" in result.out

    def test_an_internal_error_beats_everything(self, two_files, engine, jitlint_run):
        engine.findings = [("a.py", "JIT900", ERROR, 1), ("b.py", "JIT102", ERROR, 1)]
        result = jitlint_run("check", "--exit-zero", "--ignore", "JIT9", "--output-format=concise")
        assert result.code == 2
        assert "JIT900" in result.out
        assert "JIT102" in result.out

    def test_a_crash_of_the_engine_is_told(self, two_files, engine, jitlint_run):
        engine.error = RuntimeError("boom")
        result = jitlint_run("check")
        assert result.code == 2
        assert "boom" in result.err
        assert "internal error" in result.err

    def test_interrupt(self, two_files, engine, jitlint_run):
        engine.error = KeyboardInterrupt()
        assert jitlint_run("check").code == 130


class TestInputTable:
    def assert_nothing_linted(self, result, engine, *words):
        assert result.code == 2
        assert result.out == ""
        assert result.err.count("\n") == 1
        assert result.err.startswith("jitlint: error: ")
        for word in words:
            assert word in result.err
        assert engine.calls == []

    def test_missing_path(self, two_files, engine, jitlint_run):
        result = jitlint_run("check", "a.py", "missing.py", "gone")
        self.assert_nothing_linted(result, engine, "missing.py", "gone")

    @pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
    def test_unknown_code(self, two_files, engine, jitlint_run, option):
        result = jitlint_run("check", option, "JIT101,JIT8")
        self.assert_nothing_linted(result, engine, option, "JIT8", "JIT101")

    def test_bad_configuration(self, two_files, engine, jitlint_run):
        (two_files / "pyproject.toml").write_text("[tool.jitlint]\nselekt = []\n")
        result = jitlint_run("check")
        self.assert_nothing_linted(result, engine, "pyproject.toml", "selekt", "extend-select")

    def test_unknown_option(self, two_files, engine, jitlint_run):
        result = jitlint_run("check", "--selct", "JIT1")
        self.assert_nothing_linted(result, engine, "--selct", "did you mean --select", "--ignore")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--output-format", "xml"], ["xml", "full", "concise", "json"]),
            (["--min-severity", "fatal"], ["fatal", "info", "warning", "error"]),
            (["--config", "a.toml", "--isolated"], ["--isolated", "--config"]),
            (["--config", "missing.toml"], ["missing.toml"]),
            (["-", "a.py"], ["standard input"]),
            (["--stdin-filename", "x.py"], ["--stdin-filename"]),
        ],
    )
    def test_bad_values(self, two_files, engine, jitlint_run, arguments, words):
        self.assert_nothing_linted(jitlint_run("check", *arguments), engine, *words)

    def test_unknown_command(self, jitlint_run):
        result = jitlint_run("chekc")
        assert result.code == 2
        assert "'chekc' is neither a command nor a file or folder" in result.err
        assert "did you mean check?" in result.err
        assert "explain" in result.err

    def test_a_missing_path_without_a_command(self, two_files, engine, jitlint_run):
        self.assert_nothing_linted(jitlint_run("no/such.py"), engine, "no/such.py")

    def test_unknown_option_without_a_command(self, jitlint_run):
        result = jitlint_run("--fail=error")
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert "unknown option --fail, did you mean --fail-on?" in result.err

    @pytest.mark.parametrize(
        "arguments", [[""], ["check", ""], ["check", "a.py", ""], ["check", "--quiet", "a.py", ""]]
    )
    def test_an_empty_path(self, two_files, engine, jitlint_run, arguments):
        self.assert_nothing_linted(jitlint_run(*arguments), engine, "an empty path")

    def test_no_command(self, jitlint_run):
        result = jitlint_run()
        assert result.code == 2
        assert "check" in result.err

    def test_unreadable_file(self, two_files, engine, jitlint_run, monkeypatch):
        # As the superuser, who runs many a CI, can read everything, chmod would not do.
        monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "a.py")
        engine.findings = [("b.py", "JIT101", ERROR, 1)]
        result = jitlint_run("check", "--output-format", "concise")
        assert result.code == 2
        assert "a.py: permission denied" in result.err
        assert "JIT101" in result.out

    def test_dangling_link(self, two_files, engine, jitlint_run):
        (two_files / "dangling.py").symlink_to("nowhere.py")
        engine.findings = [("b.py", "JIT101", ERROR, 1)]
        result = jitlint_run("check", "--output-format", "concise")
        assert result.code == 2
        assert "dangling.py" in result.err
        assert "JIT101" in result.out

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_a_pipe_is_not_read(self, two_files, engine, jitlint_run):
        os.mkfifo(two_files / "pipe")
        result = jitlint_run("check", "pipe")
        assert result.code == 2
        assert "not a regular file" in result.err

    def test_a_file_that_vanishes_during_the_run(self, two_files, engine, jitlint_run):
        engine.before = (two_files / "a.py").unlink
        engine.findings = [("a.py", "JIT101", ERROR, 1), ("b.py", "JIT101", ERROR, 1)]
        result = jitlint_run("check")
        assert result.code == 2
        assert "a.py" in result.err
        assert "vanished" in result.err
        assert "b.py" in result.out

    def test_no_python_files(self, project, engine, jitlint_run):
        result = jitlint_run("check")
        assert (result.code, result.out) == (0, "")
        assert "warning: no Python files found" in result.err
        assert json.loads(jitlint_run("check", "--output-format", "json").out) == []


class TestSelection:
    def test_min_severity(self, two_files, engine, jitlint_run):
        engine.findings = [("a.py", "JIT101", INFO, 1), ("a.py", "JIT102", WARNING, 1)]
        concise = ("check", "--output-format", "concise", "--quiet")
        assert [line.split()[1] for line in jitlint_run(*concise).lines] == ["JIT102"]
        shown = jitlint_run(*concise, "--min-severity", "info")
        assert [line.split()[1] for line in shown.lines] == ["JIT101", "JIT102"]
        result = jitlint_run(*concise, "--min-severity", "error")
        assert (result.code, result.out) == (0, "")
        assert [line.split()[1] for line in jitlint_run(*concise, "--select", "JIT101").lines] == [
            "JIT101"
        ]

    def test_configuration_and_command_line(self, two_files, engine, jitlint_run):
        (two_files / "pyproject.toml").write_text("[tool.jitlint]\nignore = ['JIT101']\n")
        engine.findings = [("a.py", "JIT101", ERROR, 1)]
        assert jitlint_run("check").code == 0
        assert jitlint_run("check", "--isolated").code == 1
        assert jitlint_run("check", "--extend-select", "JIT101").code == 1

    def test_comments(self, two_files, engine, jitlint_run):
        (two_files / "a.py").write_text(
            "x = 1  # noqa: JIT101\ny = 1  # jitlint: ignore[JIT102] so\n"
        )
        engine.findings = [("a.py", "JIT101", ERROR, 1), ("a.py", "JIT102", ERROR, 2)]
        assert jitlint_run("check").code == 0
        engine.findings = [("a.py", "JIT102", ERROR, 1)]
        assert jitlint_run("check").code == 1


class TestWhatIsGivenToTheEngine:
    def test_files_root_and_options(self, two_files, engine, jitlint_run):
        (two_files / "pyproject.toml").write_text(
            "[tool.jitlint]\nsrc = ['lib']\ntraced-callables = {'m.jit' = 0}\n"
        )
        jitlint_run("check", "pkg", "--no-prefilter", "a.py")
        (call,) = engine.calls
        assert call["root"] == two_files
        assert call["targets"] == [two_files / "pkg" / "b.py", two_files / "a.py"]
        options = call["options"]
        assert options.prefilter is False
        assert options.src == (two_files / "lib",)
        assert list(options.traced_callables) == ["m.jit"]

    def test_exclusions(self, two_files, engine, jitlint_run):
        def targets(*arguments):
            engine.calls.clear()
            jitlint_run("check", *arguments)
            return [path.name for call in engine.calls for path in call["targets"]]

        (two_files / "build").mkdir()
        (two_files / "build" / "c.py").write_text("")
        assert targets() == ["a.py", "b.py"]
        assert targets("--extend-exclude", "pkg") == ["a.py"]
        assert targets("--exclude", "pkg") == ["a.py", "c.py"]
        assert targets("--extend-exclude", "*.py") == []
        assert targets("--extend-exclude", "pkg", "pkg/b.py") == ["b.py"]
        (two_files / "pyproject.toml").write_text("[tool.jitlint]\nextend-exclude = ['pkg']\n")
        assert targets() == ["a.py"]
        engine.calls.clear()
        jitlint_run("check", "a.py")
        assert engine.calls[0]["exclude"](two_files / "pkg")
        assert engine.calls[0]["exclude"](two_files / "build")
        assert not engine.calls[0]["exclude"](two_files / "other")


class TestStandardInput:
    @pytest.fixture
    def stdin(self, monkeypatch):
        def give(data: bytes):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

        return give

    def test_named(self, two_files, engine, jitlint_run, stdin):
        stdin(b"\xef\xbb\xbfif x:\r\n    pass\r\n")
        engine.findings = [("new.py", "JIT101", ERROR, 1)]
        result = jitlint_run("check", "-", "--stdin-filename", "pkg/new.py")
        assert result.code == 1
        assert "--> pkg/new.py:1:1" in result.out
        assert "1 | if x:" in result.out
        (call,) = engine.calls
        assert call["overlays"] == {two_files / "pkg" / "new.py": "if x:\r\n    pass\r\n"}
        assert call["root"] == two_files

    def test_unnamed(self, two_files, engine, jitlint_run, stdin):
        stdin(b"x = 1\n")
        result = jitlint_run("check", "-")
        assert (result.code, result.out) == (0, "All checks passed!\n")

    def test_suppression_inside(self, two_files, engine, jitlint_run, stdin):
        stdin(b"x = 1  # noqa\n")
        engine.findings = [("a.py", "JIT101", ERROR, 1)]
        assert jitlint_run("check", "-", "--stdin-filename", "a.py").code == 0

    def test_binary(self, two_files, engine, jitlint_run, stdin):
        stdin(b"\x00\x01\x02")
        result = jitlint_run("check", "-", "--output-format", "concise")
        assert result.code == 1
        assert "<stdin>:1:1: JIT901" in result.out
        assert engine.calls == []


class TestOutput:
    def test_file(self, two_files, engine, jitlint_run):
        engine.findings = [("a.py", "JIT101", ERROR, 2)]
        result = jitlint_run("check", "--output-format", "json", "--output-file", "out.json")
        assert (result.code, result.out) == (1, "")
        (item,) = json.loads((two_files / "out.json").read_text())
        assert item["filename"] == str(two_files / "a.py")

    def test_file_that_cannot_be_written(self, two_files, engine, jitlint_run):
        result = jitlint_run("check", "--output-file", "missing/out.txt")
        assert result.code == 2
        assert "missing/out.txt" in result.err

    def test_quiet(self, two_files, engine, jitlint_run):
        engine.findings = [("a.py", "JIT101", ERROR, 2)]
        assert "Found" not in jitlint_run("check", "--quiet").out

    def test_color(self, two_files, engine, jitlint_run, monkeypatch):
        monkeypatch.setenv("NO_COLOR", "1")
        engine.findings = [("a.py", "JIT101", ERROR, 2)]
        assert "\x1b[" not in jitlint_run("check").out
        assert "\x1b[" in jitlint_run("check", "--color", "always").out


def test_traced(two_files, engine, jitlint_run):
    result = jitlint_run("traced", "a.py")
    assert result.code == 0
    assert result.lines == [
        "a.py:2: f by jax.jit",
        "    parameters: x traced, n static",
        "    why: a.py:1:2: traced by jax.jit",
        "1 traced function in 1 file.",
    ]
    (item,) = json.loads(jitlint_run("traced", "a.py", "--output-format", "json").out)
    assert item["parameters"] == {"x": "traced", "n": "static"}
    assert item["transform"] == "jax.jit"

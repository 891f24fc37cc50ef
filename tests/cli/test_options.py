"""Options of ``check`` beside selection and formats; with a scripted engine."""

import io
import json
import sys
import tomllib

import pytest

from jitlint.diagnostics import OmissionReport, Severity
from jitlint.output.formats import FORMATS
from jitlint.source.file_discovery import DEFAULT_EXCLUDES

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


@pytest.fixture
def tree(project):
    for name in ("a.py", "pkg/b.py", "gen/c.py", "build/d.py"):
        path = project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("import jax\nx = 1\n")
    return project


class TestFailOn:
    @pytest.mark.parametrize(
        ("threshold", "severities", "code"),
        [
            ("error", [ERROR], 1),
            ("error", [WARNING], 0),
            ("error", [WARNING, ERROR], 1),
            ("warning", [WARNING], 1),
            ("warning", [INFO], 0),
            ("info", [INFO], 1),
        ],
    )
    def test_exit_code(self, tree, engine, jitlint_run, threshold, severities, code):
        engine.findings = [("a.py", "JIT101", severity, 1) for severity in severities]
        result = jitlint_run("check", "--fail-on", threshold, "--min-severity", "info")
        assert result.code == code
        assert result.out.count("[JIT101]") == len(severities)

    def test_a_failure_beats_it(self, tree, engine, jitlint_run):
        (tree / "dangling.py").symlink_to("nowhere")
        assert jitlint_run("check", "--fail-on", "error", "--exit-zero").code == 2

    def test_exit_zero_beats_it(self, tree, engine, jitlint_run):
        engine.findings = [("a.py", "JIT101", ERROR, 1)]
        assert jitlint_run("check", "--fail-on", "error", "--exit-zero").code == 0

    def test_legal_values(self, tree, engine, jitlint_run):
        result = jitlint_run("check", "--fail-on", "fatal")
        assert result.code == 2
        for word in ("--fail-on", "fatal", "info", "warning", "error"):
            assert word in result.err


class TestStatistics:
    FINDINGS = [
        ("a.py", "JIT102", ERROR, 1),
        ("a.py", "JIT101", ERROR, 1),
        ("b.py", "JIT102", WARNING, 2),
        ("b.py", "JIT201", INFO, 2),
    ]

    def test_text(self, tree, engine, jitlint_run):
        engine.findings = self.FINDINGS * 5
        result = jitlint_run("check", "--statistics")
        assert result.code == 1
        assert result.lines == [
            "10  JIT102  rule-name",
            " 5  JIT101  rule-name",
            "Found 10 errors and 5 warnings in 2 files.",
        ]

    def test_json(self, tree, engine, jitlint_run):
        engine.findings = self.FINDINGS
        result = jitlint_run("check", "--statistics", "--output-format", "json")
        assert json.loads(result.out) == [
            {
                "code": "JIT102",
                "name": "rule-name",
                "count": 2,
                "severities": {"error": 1, "warning": 1, "info": 0},
            },
            {
                "code": "JIT101",
                "name": "rule-name",
                "count": 1,
                "severities": {"error": 1, "warning": 0, "info": 0},
            },
        ]

    def test_what_was_left_out_is_counted(self, tree, engine, jitlint_run):
        engine.omissions = [
            OmissionReport("a.py", row, 1, reason, "a sentence", "f")
            for row, reason in ((1, "steps"), (2, "depth"), (3, "depth"))
        ]
        text = jitlint_run("check", "--statistics")
        assert (
            text.lines[-1] == "Left out of traced code: 2 depth and 1 steps (--verbose says where)."
        )
        result = jitlint_run("check", "--statistics", "--output-format", "json")
        assert json.loads(result.out) == [
            {"code": None, "name": "depth", "count": 2, "severities": {}},
            {"code": None, "name": "steps", "count": 1, "severities": {}},
        ]

    def test_nothing_found(self, tree, engine, jitlint_run):
        result = jitlint_run("check", "--statistics")
        assert (result.code, result.out) == (0, "All checks passed!\n")
        assert jitlint_run("check", "--statistics", "--output-format", "json").out == "[]\n"

    def test_quiet_and_output_file(self, tree, engine, jitlint_run):
        engine.findings = self.FINDINGS
        result = jitlint_run("check", "--statistics", "-q", "--output-file", "out.txt")
        assert (result.code, result.out) == (1, "")
        assert (tree / "out.txt").read_text().splitlines() == [
            "2  JIT102  rule-name",
            "1  JIT101  rule-name",
        ]


class TestShowFiles:
    def test_lists_what_would_be_linted(self, tree, engine, jitlint_run):
        result = jitlint_run("check", "--show-files", "--extend-exclude", "gen")
        assert (result.code, result.err) == (0, "")
        assert result.lines == [str(tree / "a.py"), str(tree / "pkg" / "b.py")]
        assert engine.calls == []

    def test_json(self, tree, engine, jitlint_run):
        result = jitlint_run("check", "--show-files", "--output-format", "json", "pkg")
        assert json.loads(result.out) == [str(tree / "pkg" / "b.py")]

    def test_what_cannot_be_read_and_nothing_at_all(self, tree, engine, jitlint_run):
        (tree / "dangling.py").symlink_to("nowhere")
        result = jitlint_run("check", "--show-files")
        assert result.code == 2
        assert "dangling.py" in result.err
        assert str(tree / "a.py") in result.lines
        (tree / "empty").mkdir()
        result = jitlint_run("check", "--show-files", "empty")
        assert (result.code, result.out) == (0, "")
        assert "no Python files found under empty" in result.err

    def test_a_missing_path(self, tree, engine, jitlint_run):
        assert jitlint_run("check", "--show-files", "missing.py").code == 2


class TestShowSettings:
    TABLE = """
[tool.jitlint]
select = ["JIT1", "JIT302"]
ignore = ["JIT105"]
min-severity = "error"
extend-exclude = ["gen"]
src = ["lib"]
per-file-ignores = {"tests/*" = ["JIT101"]}
[tool.jitlint.assume-traced]
"m.solve" = ["method"]
[tool.jitlint.traced-callables]
"m.fast" = {argument = "fun", static = "fixed"}
"m.slow" = 1
"""

    def test_toml_and_json_say_the_same(self, tree, engine, jitlint_run):
        (tree / "pyproject.toml").write_text(self.TABLE)
        options = ("check", "--show-settings", "--extend-exclude", "tmp", "--ignore=JIT106")
        text = jitlint_run(*options)
        assert text.code == 0
        assert engine.calls == []
        settings = tomllib.loads(text.out)
        assert settings["configuration-file"] == str(tree / "pyproject.toml")
        assert settings["project-root"] == str(tree)
        assert "JIT101" in settings["rules"]
        assert not {"JIT105", "JIT106", "JIT201"} & set(settings["rules"])
        assert settings["rules-shown-at-any-severity"] == ["JIT302"]
        assert settings["min-severity"] == "error"
        assert settings["exclude"] == list(DEFAULT_EXCLUDES)
        assert settings["extend-exclude"] == ["gen", "tmp"]
        assert settings["src"] == [str(tree / "lib")]
        assert settings["per-file-ignores"] == {"tests/*": ["JIT101"]}
        assert settings["traced-callables"] == {
            "m.fast": {"argument": "fun", "static": "fixed"},
            "m.slow": {"argument": 1},
        }
        assert settings["assume-traced"] == {"m.solve": ["method"]}
        as_json = json.loads(jitlint_run(*options, "--output-format", "json").out)
        assert as_json.pop("output-format") == "json"
        assert as_json.pop("output-file") is None
        assert settings.pop("output-format") == "full"
        assert as_json == settings

    def test_without_configuration(self, tree, engine, jitlint_run):
        (tree / "pyproject.toml").write_text(self.TABLE)
        result = jitlint_run("check", "--show-settings", "--isolated", "--exclude", "x")
        settings = tomllib.loads(result.out)
        assert "configuration-file" not in settings
        assert settings["exclude"] == ["x"]
        assert settings["extend-exclude"] == []
        assert settings["min-severity"] == "warning"

    def test_wrong_configuration(self, tree, engine, jitlint_run):
        (tree / "pyproject.toml").write_text("[tool.jitlint]\nfoo = 1\n")
        result = jitlint_run("check", "--show-settings")
        assert (result.code, result.out) == (2, "")
        assert "foo" in result.err


def test_one_task_at_a_time(tree, engine, jitlint_run):
    result = jitlint_run("check", "--statistics", "--show-files")
    assert result.code == 2
    assert "--statistics" in result.err
    assert engine.calls == []


class TestForceExclude:
    def files(self, jitlint_run, *arguments):
        result = jitlint_run("check", "--show-files", *arguments)
        return [line.rpartition("/")[2] for line in result.lines]

    def test_named_files_and_folders(self, tree, jitlint_run):
        named = ("a.py", "gen/c.py", "build")
        assert self.files(jitlint_run, *named) == ["a.py", "d.py", "c.py"]
        assert self.files(jitlint_run, *named, "--force-exclude") == ["a.py", "c.py"]
        assert self.files(jitlint_run, *named, "--force-exclude", "--extend-exclude=gen") == [
            "a.py"
        ]
        assert self.files(jitlint_run, "a.py", "--force-exclude", "--exclude=*.py") == []

    def test_configured(self, tree, jitlint_run):
        (tree / "pyproject.toml").write_text("[tool.jitlint]\nexclude = ['pkg/*.py']\n")
        named = ("pkg/b.py", "build/d.py")
        assert self.files(jitlint_run, *named, "--force-exclude") == ["d.py"]

    def test_names_above_the_project_do_not_count(self, tree, jitlint_run):
        inner = tree / "build" / "inner"
        inner.mkdir()
        (inner / "pyproject.toml").write_text("")
        (inner / "e.py").write_text("")
        assert self.files(jitlint_run, "build/inner/e.py", "--force-exclude") == ["e.py"]

    def test_all_is_excluded(self, tree, engine, jitlint_run):
        result = jitlint_run("check", "--force-exclude", "build/d.py")
        assert (result.code, result.out) == (0, "")
        assert "build/d.py" in result.err

    def test_standard_input(self, tree, engine, jitlint_run, monkeypatch):
        for data in (b"import jax\n", b"\0"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            result = jitlint_run("check", "-", "--stdin-filename", "build/d.py", "--force-exclude")
            assert (result.code, result.out) == (0, "")
            assert "build/d.py" in result.err
        assert engine.calls == []


class TestOutputFile:
    @pytest.mark.parametrize(("name", "words"), [("missing/x", "missing"), ("pkg", "folder")])
    def test_is_refused_before_anything_is_linted(self, tree, engine, jitlint_run, name, words):
        result = jitlint_run("check", "--output-file", name)
        assert (result.code, result.out) == (2, "")
        assert "--output-file" in result.err
        assert words in result.err
        assert engine.calls == []

    def test_colour_only_when_told(self, tree, engine, jitlint_run):
        engine.findings = [("a.py", "JIT101", ERROR, 1)]
        jitlint_run("check", "--output-file", "out.txt")
        assert "\x1b[" not in (tree / "out.txt").read_text()
        jitlint_run("check", "--output-file", "out.txt", "--color", "always")
        assert "\x1b[" in (tree / "out.txt").read_text()


def test_per_file_ignores_hold_for_standard_input(tree, engine, jitlint_run, monkeypatch):
    (tree / "setup.cfg").write_text("[jitlint]\nper-file-ignores =\n    pkg/*: JIT101, JIT2\n")
    engine.findings = [("new.py", "JIT101", ERROR, 1)]
    for name, code in (("pkg/new.py", 0), ("new.py", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"import jax\n")))
        assert jitlint_run("check", "-", "--stdin-filename", name).code == code


def test_an_empty_selection_is_refused(tree, engine, jitlint_run):
    result = jitlint_run("check", "--select", " ,")
    assert result.code == 2
    assert "--select" in result.err
    assert "JIT101" in result.err or "JIT1" in result.err


def test_statistics_are_not_for_every_format(tree, engine, jitlint_run):
    for name in FORMATS:
        result = jitlint_run("check", "--statistics", "--output-format", name)
        if name in ("full", "concise", "json"):
            assert result.code == 0
        else:
            assert result.code == 2
            assert f"{name} (expected --output-format full, concise or json)" in result.err

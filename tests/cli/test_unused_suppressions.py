"""JIT902: comments that silence nothing, and those that are not for jitlint to judge."""

import json

import pytest

from jitlint.diagnostics import Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


@pytest.fixture
def judged(project, engine, jitlint_run):
    """Lints one file with scripted reports; gives (row, column, code) of what is shown."""

    def check(text, *arguments, findings=()):
        (project / "a.py").write_text(text)
        engine.findings = [("a.py", *finding) for finding in findings]
        result = jitlint_run("check", "--output-format", "json", "a.py", *arguments)
        return [
            (item["location"]["row"], item["location"]["column"], item["code"])
            for item in json.loads(result.out)
        ]

    return check


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        ("# noqa: JIT101", "JIT101 is not reported here"),
        ("# noqa:JIT101,E501", "JIT101 is not reported here"),
        ("# NOQA : jit101 why", "JIT101 is not reported here"),
        ("# noqa: JIT101,JIT105,JIT102", "JIT101 and JIT105 are not reported here"),
        ("# noqa: JIT2", "JIT2 is not reported here"),
        ("# jitlint: ignore[JIT101] why", "JIT101 is not reported here"),
        ("# jitlint: ignore[JIT9000]", "no rule has the code JIT9000"),
        (
            "# jitlint: ignore[E501, JIT101, W6]",
            "JIT101 is not reported here; no rule has the code",
        ),
        ("# jitlint: ignore[]", "it names no rule"),
        ("# jitlint: ignore", "expected `ignore[CODES]` or `ignore-file`"),
        ("# jitlint: ignore: JIT101", "expected `ignore[CODES]` or `ignore-file`"),
        ("# jitlint: disable", "expected `ignore[CODES]` or `ignore-file`"),
        ("# jitlint: ignore-file", "no rule reports anything in this file"),
        ("# jitlint: ignore[JIT900]", "JIT900 is not reported here"),
    ],
)
def test_idle_comments(project, engine, jitlint_run, comment, fault):
    (project / "a.py").write_text(f"y = 1\nx = 1  {comment}\n")
    if "JIT102" in comment:
        engine.findings = [("a.py", "JIT102", ERROR, 2)]
    result = jitlint_run("check", "--output-format", "concise")
    assert result.code == 1
    assert result.lines[0].startswith("a.py:2:8: JIT902 ")
    assert fault in result.lines[0]
    assert sum("JIT902" in line for line in result.lines) == 1


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# noqa because",
        "# noqa: E501",
        "# noqa: E501,JIT101",
        "# noqa: JIT1",
        "# noqa: JIT999",
        "# jitlint: ignore[JIT101] why",
        "# jitlint: ignore[JIT1]",
        "# jitlint: ignore-file",
        "# what jitlint thinks of it",
        "# noqa: JIT101  # jitlint: ignore[JIT101]",
    ],
)
def test_comments_that_are_needed_or_not_ours(judged, comment):
    shown = judged(f"x = 1  {comment}\n", findings=[("JIT101", ERROR, 1)])
    assert [item for item in shown if item[2] == "JIT902"] == []


def test_a_comment_for_the_whole_file(judged):
    here = [("JIT101", ERROR, 1)]
    assert judged("x = 1\n# flake8: noqa: JIT1\n", findings=here) == []
    assert judged("x = 1\n# flake8: noqa\n", findings=here) == []
    assert judged("x = 1\n# flake8: noqa\n") == []
    assert judged("x = 1\n# flake8: noqa: JIT2\n") == [(2, 1, "JIT902")]


def test_strings_are_no_comments(judged):
    assert judged('x = "# noqa: JIT101"\n"""\n# jitlint: ignore[JIT101]\n"""\n') == []


def test_a_report_elsewhere_does_not_make_it_useful(judged):
    shown = judged("x = 1\ny = 1  # noqa: JIT101\n", findings=[("JIT101", ERROR, 1)])
    assert shown == [(1, 1, "JIT101"), (2, 8, "JIT902")]


def test_any_row_of_the_statement_counts(judged):
    text = "if (\n    x > 0\n    and y\n):  # noqa: JIT101\n    pass\n"
    assert judged(text, findings=[("JIT101", ERROR, 2)]) == []
    assert judged(text, findings=[("JIT101", ERROR, 5)]) == [(4, 5, "JIT902"), (5, 1, "JIT101")]


class TestOnlyWhatThisRunLooksFor:
    def test_deselected(self, judged):
        text = "x = 1  # noqa: JIT101\ny = 1  # jitlint: ignore[JIT201]\n"
        assert len(judged(text)) == 2
        assert judged(text, "--ignore", "JIT101") == [(2, 8, "JIT902")]
        assert judged(text, "--select", "JIT1,JIT902") == [(1, 8, "JIT902")]
        assert judged(text, "--select", "JIT101") == []
        assert judged(text, "--ignore", "JIT902") == []

    def test_a_family_of_which_a_part_is_off(self, judged):
        text = "x = 1  # noqa: JIT1\n"
        assert judged(text, "--ignore", "JIT105") == []
        assert judged(text, "--ignore", "JIT201") == [(1, 8, "JIT902")]

    def test_a_file_comment_when_any_rule_is_off(self, judged):
        text = "# jitlint: ignore-file\nx = 1  # noqa: JIT201\n"
        assert judged(text) == [(1, 1, "JIT902"), (2, 8, "JIT902")]
        assert judged(text, "--ignore", "JIT105") == []

    def test_ignored_in_this_file(self, project, judged):
        (project / "pyproject.toml").write_text(
            "[tool.jitlint.per-file-ignores]\n'a.py' = ['JIT101']\n"
        )
        text = "x = 1  # noqa: JIT101\ny = 1  # noqa: JIT102\n"
        assert judged(text) == [(2, 8, "JIT902")]
        (project / "pyproject.toml").write_text(
            "[tool.jitlint.per-file-ignores]\n'*.py' = ['JIT9']\n"
        )
        assert judged(text) == []

    def test_infos_that_are_not_shown_are_silenced_all_the_same(self, judged):
        text = "x = 1  # noqa: JIT302\n"
        assert judged(text, findings=[("JIT302", INFO, 1)]) == []
        assert judged(text) == [(1, 8, "JIT902")]

    def test_severity(self, judged):
        assert judged("x = 1  # noqa: JIT101\n", "--min-severity", "error") == []


def test_it_can_be_silenced_itself(judged):
    assert judged("x = 1  # noqa: JIT101,JIT902\n") == []
    assert judged("x = 1  # jitlint: ignore[JIT101]  # noqa\n") == []
    assert judged("x = 1  # noqa: JIT902\n") == []


@pytest.mark.parametrize("code", ["JIT900", "JIT901", "JIT903"])
def test_a_file_that_was_not_linted_is_not_judged(judged, code):
    shown = judged("x = 1\ny = 1  # noqa: JIT101\n", findings=[(code, ERROR, 1)])
    assert shown == [(1, 1, code)]


def test_files_without_jax_are_judged_too(project, jitlint_run):
    (project / "a.py").write_text("x = 1  # noqa: JIT101\n")
    (project / "b.py").write_text("x = 1  # noqa: E501\n")
    result = jitlint_run("check", "--output-format", "concise")
    assert result.code == 1
    found = [line.split()[:2] for line in result.lines if "JIT902" in line]
    assert found == [["a.py:1:8:", "JIT902"]]


def test_the_frame_marks_the_comment(project, jitlint_run):
    (project / "a.py").write_text("import jax\nx = 1  # noqa: JIT101, E501 why\n")
    out = jitlint_run("check").out
    assert "warning[JIT902]" in out
    assert "2 | x = 1  # noqa: JIT101, E501 why\n  |        ^^^^^^^^^^^^^^^^^^^^\n" in out

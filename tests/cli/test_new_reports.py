"""``--baseline`` and ``--changed-since``."""

from __future__ import annotations

import io
import json
import os
import subprocess

import pytest

from jitlint.diagnostics import Severity

TWO = """\
import jax

@jax.jit
def f(x):
    if x > 0:
        return x
    return float(x)
"""
ONE_MORE = """

@jax.jit
def g(x):
    return int(x)
"""


@pytest.fixture
def lint(project, jitlint_run):
    (project / "a.py").write_text(TWO)

    def run(*arguments):
        result = jitlint_run("check", "--output-format", "concise", *arguments)
        assert "Traceback" not in result.err
        return result

    return run


def reported(result):
    words = [line.split(" ") for line in result.lines if ": JIT" in line]
    return [f"{place.rstrip(':')} {code}" for place, code, *_ in words]


def codes(path):
    reports = json.loads(path.read_text())["reports"]
    return {name: sorted(item["code"] for item in items) for name, items in reports.items()}


# -- baseline --------------------------------------------------------------------------------------


def test_a_baseline_is_written_then_compared(project, lint):
    base = project / "base.json"
    first = lint("--write-baseline", base)
    assert (first.code, first.lines) == (0, ["All checks passed!"])
    assert "sets 2 reports aside" in first.err
    assert codes(base) == {"a.py": ["JIT101", "JIT105"]}
    # Lines move, a report comes.
    (project / "a.py").write_text("# moved\n\n\n" + TWO + ONE_MORE)
    second = lint("--baseline", base)
    assert second.code == 1
    assert reported(second) == ["a.py:15:12 JIT105"]
    assert codes(base) == {"a.py": ["JIT101", "JIT105"]}


def test_it_shrinks_and_does_not_grow_again(project, lint):
    base = project / "base.json"
    lint("--write-baseline", base)
    (project / "a.py").write_text(TWO.replace("float(x)", "x"))
    result = lint("--baseline", base)
    assert result.code == 0
    assert "took 1 report" in result.err
    assert codes(base) == {"a.py": ["JIT101"]}
    (project / "a.py").write_text(TWO)
    assert reported(lint("--baseline", base)) == ["a.py:7:12 JIT105"]
    (project / "a.py").unlink()
    lint("--baseline", base)
    assert codes(base) == {}


def test_a_second_place_like_the_first_is_new(project, lint):
    (project / "a.py").write_text(TWO.replace("        return x\n", "        return float(x)\n"))
    base = project / "base.json"
    lint("--write-baseline", base)
    (project / "a.py").write_text(
        TWO.replace("        return x\n", "        return float(x) + float(x)\n")
    )
    assert len(reported(lint("--baseline", base))) == 1


def test_what_a_run_cannot_judge_stays(project, lint):
    base = project / "base.json"
    (project / "b.py").write_text(TWO)
    lint("--write-baseline", base)
    before = base.read_text()
    (project / "a.py").write_text("x = 1\n")
    lint("b.py", "--baseline", base)
    lint("--select", "JIT2", "--baseline", base)
    assert base.read_text() == before
    (project / "a.py").write_text("import jax\ndef (:\n")
    assert reported(lint("--baseline", base)) == ["a.py:2:5 JIT901"]
    assert base.read_text() == before
    (project / "a.py").write_text(TWO)
    assert lint("--min-severity", "error", "--baseline", base).code == 0
    assert base.read_text() == before


def test_scripts_of_one_name_are_told_apart(project, lint):
    base = project / "base.json"
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / "run.py").write_text(TWO)
    lint("--write-baseline", base)
    for paths in (("one",), ("two",), ("two", "one"), ("two/run.py",)):
        assert lint(*paths, "--baseline", base).code == 0


def test_a_report_that_is_silenced_now_stays_out_of_the_way(project, lint):
    base = project / "base.json"
    lint("--write-baseline", base)
    (project / "a.py").write_text(TWO.replace("x > 0:", "x > 0:  # noqa: JIT101"))
    assert lint("--baseline", base).code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no baseline"),
        ("[]", "expected an object"),
        ('{"version": 2, "reports": {}}', "version 2, expected 1"),
        ('{"version": 1, "reports": {"a.py": [{}]}}', "a.py: expected objects"),
        ('{"version": 1, "reports": {"a.py": 3}}', "a.py: expected objects"),
        ("\0\xff", "is no baseline"),
        ("[" * 100_000, "is no baseline"),
    ],
)
def test_a_file_that_is_no_baseline(project, lint, text, said):
    base = project / "base.json"
    base.write_text(text, encoding="latin-1")
    result = lint("--baseline", base)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert base.read_text(encoding="latin-1") == text


def test_a_baseline_that_cannot_be_read_or_made(project, lint):
    missing = project / "base.json"
    result = lint("--baseline", missing)
    assert (result.code, result.out) == (2, "")
    assert f"no such file: {missing} (expected one that --write-baseline wrote)" in result.err
    assert not missing.exists()
    assert lint("--baseline", project).code == 2
    result = lint("--write-baseline", project / "no" / "base.json")
    assert (result.code, result.out) == (2, "")
    assert "no such folder" in result.err


@pytest.mark.parametrize("other", [("--baseline", "b.json"), ("--changed-since", "HEAD"), ("-",)])
def test_what_a_baseline_is_not_written_of(project, lint, other, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = 1\n")))
    result = lint("--write-baseline", project / "base.json", *other)
    assert result.code == 2
    assert "--write-baseline: cannot be combined with" in result.err
    assert not (project / "base.json").exists()


def test_a_baseline_is_written_anew(project, lint):
    base = project / "base.json"
    lint("--write-baseline", base)
    (project / "a.py").write_text(TWO + ONE_MORE)
    assert lint("--write-baseline", base).code == 0
    assert codes(base) == {"a.py": ["JIT101", "JIT105", "JIT105"]}


def test_internal_errors_are_never_set_aside(project, engine, lint):
    engine.findings = [("a.py", "JIT900", Severity.ERROR, 1)]
    base = project / "base.json"
    assert lint("--write-baseline", base).code == 2
    assert codes(base) == {}
    assert reported(lint("--baseline", base)) == ["a.py:1:1 JIT900"]


def test_a_link_stays_a_link(project, lint):
    (project / "real.json").write_text('{"version": 1, "reports": {"gone.py": []}}')
    (project / "base.json").symlink_to("real.json")
    (project / "real.json").unlink()
    lint("--write-baseline", project / "base.json")
    assert (project / "base.json").is_symlink()
    assert codes(project / "real.json") == {"a.py": ["JIT101", "JIT105"]}


# -- changed since ---------------------------------------------------------------------------------


@pytest.fixture
def git(project, monkeypatch):
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "n")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "e@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)

    def run(*arguments):
        subprocess.run(["git", *arguments], cwd=project, check=True, capture_output=True)

    run("init", "-q")
    return run


@pytest.fixture
def committed(project, lint, git):
    git("add", ".")
    git("commit", "-qm", "one")
    return lint


def test_nothing_changed(committed):
    result = committed("--changed-since", "HEAD")
    assert (result.code, result.lines) == (0, ["All checks passed!"])


def test_only_reports_on_changed_lines(project, committed):
    (project / "a.py").write_text("# one\n" + TWO.replace("float(x)", "float(x * 2)"))
    assert reported(committed("--changed-since", "HEAD")) == ["a.py:8:12 JIT105"]


def test_committed_staged_and_unknown_files_count(project, committed, git):
    (project / "b.py").write_text(TWO)
    git("add", "b.py")
    (project / "new é.py").write_text(TWO)
    (project / "a.py").write_text(TWO + ONE_MORE)
    git("commit", "-qam", "two")
    found = [line for line in committed("--changed-since", "HEAD~").lines if ": JIT" in line]
    assert [line.split(": JIT")[0] for line in found] == [
        "a.py:12:12", "b.py:5:8", "b.py:7:12", "new é.py:5:8", "new é.py:7:12",
    ]  # fmt: skip


def test_an_added_decorator_touches_what_it_makes_hostile(project, committed, git):
    (project / "a.py").write_text(TWO.replace("@jax.jit\n", ""))
    git("commit", "-qam", "two")
    (project / "a.py").write_text(TWO)
    assert len(reported(committed("--changed-since", "HEAD"))) == 2


def test_a_step_in_a_notebook_counts_where_the_notebook_changed(project, lint, git):
    def notebook(*cells):
        found = [{"cell_type": "code", "source": text.splitlines(True)} for text in cells]
        (project / "n.ipynb").write_text(json.dumps({"cells": found}, indent=1))

    (project / "pyproject.toml").write_text("")
    (project / "lib.py").write_text("def f(x):\n    return float(x)\n")
    notebook("import jax", "from lib import f", "f(1.0)")
    git("add", ".")
    git("commit", "-qm", "one")
    assert reported(lint("lib.py", "--changed-since", "HEAD")) == []
    notebook("import jax", "from lib import f", "jax.jit(f)(1.0)")
    assert reported(lint("lib.py", "--changed-since", "HEAD")) == ["lib.py:2:12 JIT105"]


def test_odd_names_and_text_that_looks_like_a_diff(project, lint, git):
    names = ["a b.py", 'q"uote.py', "tab\there.py", "é.py", "back\\slash.py"]
    for name in names:
        (project / name).write_text("x = '''\n--- a/x.py\n'''\n" + TWO)
    git("add", ".")
    git("commit", "-qm", "one")
    git("config", "diff.noprefix", "true")
    for name in names:
        text = "x = '''\n++ b/x.py\n-- a/y.py\n@@ -1 +1 @@\n'''\n" + TWO
        (project / name).write_text(text.replace("float(x)", "float(-x)"))
    result = lint("--changed-since", "HEAD")
    assert sum(": JIT105" in line for line in result.lines) == len(names)
    assert sum(": JIT" in line for line in result.lines) == len(names)


def test_a_folder_inside_a_repository(project, committed, git, monkeypatch):
    (project / "sub").mkdir()
    (project / "sub" / "b.py").write_text(TWO)
    monkeypatch.chdir(project / "sub")
    assert len(reported(committed("--changed-since", "HEAD"))) == 2


@pytest.mark.parametrize("revision", ["nope", "--help", "", "HEAD:a.py"])
def test_no_such_revision(committed, revision):
    result = committed(f"--changed-since={revision}")
    assert (result.code, result.out) == (2, "")
    assert "unknown revision" in result.err


def test_no_repository_and_no_git(project, lint, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    result = lint("--changed-since", "HEAD")
    assert result.code == 2
    assert "not a git repository" in result.err
    monkeypatch.setenv("PATH", str(project))
    assert "cannot run git" in lint("--changed-since", "HEAD").err


def test_nothing_of_the_repository_is_run(project, committed, git):
    trap = project / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {project}/sprung\n")
    trap.chmod(0o755)
    (project / ".gitattributes").write_text("*.py diff=trap\n")
    git("config", "diff.trap.textconv", str(trap))
    git("config", "diff.trap.command", str(trap))
    git("config", "diff.external", str(trap))
    git("config", "core.fsmonitor", str(trap))
    (project / "a.py").write_text(TWO.replace("float(x)", "float(-x)"))
    assert len(reported(committed("--changed-since", "HEAD"))) == 1
    assert not (project / "sprung").exists()

"""``jitlint check --add-noqa`` with the real engine."""

import ast
import io
import json
import os
import re
import sys

import pytest

HOSTILE = '''\
import jax
import jax.numpy as jnp


@jax.jit
def step(x, y):
    if (
        x > 0  # the sign
        and y is not None
    ):
        x = x + 1
    total = jnp.zeros(
        int(x),
    )
    text = """
    %s
    """ % float(x)
    while x > 3: x = x - 1  # noqa: E501
    return x if x > 2 \\
        else total, text
'''


def check(jitlint_run, *arguments):
    return jitlint_run("check", "--output-format", "concise", *arguments)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_everything_is_silenced_once_and_nothing_else_changes(project, jitlint_run, end):
    path = project / "a.py"
    path.write_bytes(HOSTILE.replace("\n", end).encode())
    before = check(jitlint_run)
    assert before.code == 1
    assert before.out.count(": JIT") == 5, before.out
    result = check(jitlint_run, "--add-noqa")
    assert (result.code, result.out) == (0, "")
    assert result.err == "jitlint: added # noqa comments for 5 reports in 1 file\n"
    data = path.read_bytes()
    assert data.count(end.encode()) == HOSTILE.count("\n")
    assert b"\r\n" in data or end == "\n"
    assert ast.dump(ast.parse(data)) == ast.dump(ast.parse(HOSTILE))
    text = data.decode().replace("\r\n", "\n")
    for line in (
        "        x > 0  # the sign  # noqa: JIT101",
        "        int(x),  # noqa: JIT105",
        '    """ % float(x)  # noqa: JIT105',
        "    while x > 3: x = x - 1  # noqa: E501,JIT102",
        "        else total, text  # noqa: JIT101",
    ):
        assert line in text.split("\n")
    again = check(jitlint_run, "--add-noqa")
    assert again.err == "jitlint: added # noqa comments for 0 reports in 0 files\n"
    assert path.read_bytes() == data
    assert check(jitlint_run).code == 0


def test_only_what_is_shown_gets_a_comment(project, jitlint_run):
    path = project / "a.py"
    path.write_text(HOSTILE)
    assert check(jitlint_run, "--add-noqa", "--select", "JIT102", "-q").err == ""
    assert path.read_text().count("JIT") == 1
    assert len(check(jitlint_run, "-q").lines) == 4


def test_what_jitlint_says_of_itself_is_left(project, jitlint_run):
    (project / "broken.py").write_text("import jax\nx = (\n")
    (project / "idle.py").write_text("import jax\nx = 1  # noqa: JIT101\n")
    (project / "a.py").write_text(HOSTILE)
    result = check(jitlint_run, "--add-noqa")
    assert result.code == 1
    assert re.findall(r"^\S+: (JIT\d+) ", result.out, re.MULTILINE) == ["JIT901", "JIT902"]
    assert "5 reports in 1 file" in result.err
    assert (project / "broken.py").read_text() == "import jax\nx = (\n"


def test_encoding_and_byte_order_mark(project, jitlint_run):
    (project / "a.py").write_bytes(f"# coding: latin-1\nNAME = 'ä'\n{HOSTILE}".encode("latin-1"))
    (project / "b.py").write_bytes(b"\xef\xbb\xbf" + HOSTILE.rstrip("\n").encode())
    assert check(jitlint_run, "--add-noqa").code == 0
    assert b"NAME = '\xe4'\n" in (project / "a.py").read_bytes()
    data = (project / "b.py").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfimport jax")
    assert data.endswith(b"# noqa: JIT101")
    assert check(jitlint_run).code == 0


def test_a_file_that_cannot_be_written(project, jitlint_run, monkeypatch):
    (project / "a.py").write_text(HOSTILE)
    (project / "b.py").write_text(HOSTILE)
    written = type(project).write_bytes

    def write_bytes(path, data):
        if path.name == "a.py":
            raise PermissionError(13, "Permission denied", str(path))
        return written(path, data)

    monkeypatch.setattr(type(project), "write_bytes", write_bytes)
    result = check(jitlint_run, "--add-noqa")
    assert result.code == 2
    assert f"cannot write {project / 'a.py'}: Permission denied" in result.err
    assert {line.split(":")[0] for line in result.lines if ": JIT" in line} == {"a.py"}
    assert "JIT101" in (project / "b.py").read_text()


def test_standard_input_is_no_file(project, jitlint_run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HOSTILE.encode())))
    result = jitlint_run("check", "--add-noqa", "-")
    assert result.code == 2
    assert "--add-noqa" in result.err
    assert os.listdir(project) == ["pyproject.toml"]


def notebook(*cells, indent=1):
    content = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "metadata": {},
                "outputs": [],
                "source": cell.splitlines(keepends=True),
            }
            for cell in cells
        ],
        "metadata": {"title": "é"},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=indent, ensure_ascii=False) + "\n"


CELLS = (
    "import jax",
    "# the step\n@jax.jit\ndef step(x):\n    if x > 0:\n        return float(x)\n    return x",
    "step(1.0)",
)


@pytest.mark.parametrize("indent", [1, 2, None])
def test_notebooks_are_silenced_cell_by_cell(project, jitlint_run, indent):
    path = project / "a.ipynb"
    path.write_text(notebook(*CELLS, indent=indent), encoding="utf-8")
    assert "Found 2 errors in 1 file." in check(jitlint_run).lines
    assert check(jitlint_run, "--add-noqa").code == 0
    step = CELLS[1].replace("x > 0:", "x > 0:  # noqa: JIT101")
    step = step.replace("float(x)", "float(x)  # noqa: JIT105")
    expected = notebook(CELLS[0], step, CELLS[2], indent=indent)
    assert path.read_text(encoding="utf-8") == expected
    assert check(jitlint_run).code == 0


def test_a_notebook_in_another_hand_is_left_alone(project, jitlint_run):
    path = project / "a.ipynb"
    path.write_text(notebook(*CELLS).replace('"cells": [', '"cells":  ['), encoding="utf-8")
    before = path.read_bytes()
    result = check(jitlint_run, "--add-noqa")
    assert result.code == 2
    assert "its JSON is not written as Jupyter writes it" in result.err
    assert path.read_bytes() == before


def test_a_reason_stands_behind_the_codes(project, jitlint_run):
    path = project / "a.py"
    path.write_text(HOSTILE)
    (project / "b.ipynb").write_text(notebook(*CELLS), encoding="utf-8")
    # What follows is a path, and no reason.
    assert check(jitlint_run, "--add-noqa=only on the host, see #7", "a.py").code == 0
    lines = path.read_text().split("\n")
    assert "        int(x),  # noqa: JIT105 only on the host, see #7" in lines
    assert "    while x > 3: x = x - 1  # noqa: E501,JIT102 only on the host, see #7" in lines
    assert "JIT" not in (project / "b.ipynb").read_text(encoding="utf-8")
    assert check(jitlint_run, "--add-noqa=host", "b.ipynb").code == 0
    assert "float(x)  # noqa: JIT105 host" in (project / "b.ipynb").read_text(encoding="utf-8")
    assert check(jitlint_run).code == 0


def test_a_reason_that_is_there_is_kept(project, jitlint_run):
    path = project / "a.py"
    path.write_text(HOSTILE.replace("# noqa: E501", "# noqa: E501 long"))
    assert check(jitlint_run, "--add-noqa=slow").code == 0
    assert "x = x - 1  # noqa: E501,JIT102 long\n" in path.read_text()
    assert check(jitlint_run).code == 0


def test_a_path_is_no_reason(project, jitlint_run):
    (project / "a.py").write_text(HOSTILE)
    (project / "b.py").write_text(HOSTILE)
    assert check(jitlint_run, "--add-noqa", "a.py").code == 0
    assert "# noqa: JIT105\n" in (project / "a.py").read_text()
    assert (project / "b.py").read_text() == HOSTILE


@pytest.mark.parametrize("reason", ["T101 later", "two\nlines", "x # jitlint: ignore-file"])
def test_what_would_be_read_as_more_than_a_reason(project, jitlint_run, reason):
    (project / "a.py").write_text(HOSTILE)
    result = check(jitlint_run, f"--add-noqa={reason}")
    assert result.code == 2
    assert "would be read as more than a reason" in result.err
    assert (project / "a.py").read_text() == HOSTILE

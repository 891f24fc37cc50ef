"""Cells as IPython takes them."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from jitlint.source.ipython import parses, to_python


def python(cell: str) -> list[str]:
    lines = dedent(cell).strip("\n").split("\n")
    rows = to_python(lines)
    assert rows is not None
    assert len(rows) == len(lines)
    for (text, shift), line in zip(rows, lines, strict=True):
        # What is kept stands where its shift says.
        code = text.lstrip()
        if code and not code.startswith("pass") and "get_ipython" not in code:
            at = len(text) - len(code) + shift
            assert line[at : at + len(code)] == code
    assert parses("\n".join(text for text, _ in rows)), rows
    return [text for text, _ in rows]


def test_python_is_left_alone():
    cell = "x = (1\n% 2)\ny = '''\n%time f()\n!ls\n'''\nz = 1 \\\n% 3"
    assert python(cell) == cell.split("\n")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%matplotlib inline", "pass"),
        ("!pip install -q jax", "pass"),
        ("!!ls", "pass"),
        ("  %cd ..", "pass"),
        ("?f", "pass"),
        ("f?", "pass"),
        ("jnp.where??", "pass"),
        ("%timeit?", "pass"),
        ("np.*load*?", "pass"),
        (",f a b", "pass"),
        ("/f a", "pass"),
        ("%timeit f(x)", "f(x)"),
        ("%timeit -n 10 -r3 f(x)", "f(x)"),
        ("%timeit -o f(x)", "f(x)"),
        ("%time y = f(x)  # a comment", "y = f(x)  # a comment"),
        ("%prun -l 5 f(x)", "f(x)"),
        ("%timeit", "pass"),
        ("%load_ext tensorboard", "pass"),
        ("%time", "pass"),
        ("%timeits f(x)", "pass"),
    ],
)
def test_lines(line, expected):
    assert python(f"if 1:\n    {line.strip()}")[1].strip() == expected
    assert python(line)[0].strip() == expected


@pytest.mark.parametrize("line", ["files = !ls *.py", "a, b = %sql select", "x = %time f(1)"])
def test_what_a_command_gives_is_not_known(line):
    (text,) = python(line)
    assert isinstance(ast.parse(text).body[0], ast.Assign)
    assert isinstance(ast.parse(text).body[0].value, ast.Call)


def test_commands_that_run_on():
    assert python("!pip install \\\n   jax \\\n   flax\nx = 1") == ["pass", "", "", "x = 1"]


def test_commands_between_python_that_runs_on():
    cell = """
        def f(x, y='''
        !no command
        '''):
            !ls
            return (x
        %y)
        %timeit f(1,
                  2)
        g?
    """
    assert python(cell) == [
        "def f(x, y='''",
        "!no command",
        "'''):",
        "    pass",
        "    return (x",
        "%y)",
        "f(1,",
        "          2)",
        "pass",
    ]


@pytest.mark.parametrize("name", ["time", "capture out", "prun -l 3", "timeit -n 3"])
def test_cells_that_run_here(name):
    assert python(f"%%{name}\nx = 1\n!ls")[1:] == ["x = 1", "pass"]


def test_a_cell_may_have_several_magics_and_rows_before_them():
    rows = to_python(["", "%%time", "%%capture", "", "f()"])
    assert rows == [("", 0)] * 4 + [("f()", 0)]


def test_setup_of_timeit():
    assert python("%%timeit x = f(1)\nx + 1") == ["x = f(1)", "x + 1"]
    assert python("%%timeit -n 10 -r 3 x = 1\nx") == ["x = 1", "x"]
    assert python("%%timeit -n10\nx") == ["", "x"]


@pytest.mark.parametrize("name", ["bash", "html", "writefile a.py", "javascript", "R", "cython"])
def test_cells_that_are_not_ours(name):
    assert to_python([f"%%{name}", "import os"]) is None


@pytest.mark.parametrize(
    "cell", ["def (:", "x = (", "'''", "%time (", "\\", "%", "!", "?", "%%", "%%time", ""]
)
def test_half_typed_cells_do_not_crash(cell):
    lines = cell.split("\n")
    rows = to_python(lines)
    assert rows is None or len(rows) == len(lines)

"""Cells as IPython takes them."""

from __future__ import annotations

import ast
import re
from textwrap import dedent

import pytest

from jitlint.jaxmodel.host_code import MEASURED
from jitlint.source.ipython import TIMED, parses, to_python

_LINE, _CELL = TIMED.format("%time"), TIMED.format("%%time")
#: all of what says that something is measured, with how often that runs
_TIMED = re.escape(TIMED.removesuffix(":")).replace(r"\{\}", r"%%?time(?:it(?: -[nr] \d+)*)?")


def unmeasured(text: str) -> str:
    """A row without what says that it is measured."""
    return re.sub(rf"{_TIMED}(?: as \w+)?: ", "", text)


def python(cell: str) -> list[str]:
    lines = dedent(cell).strip("\n").split("\n")
    rows = to_python(lines)
    assert rows is not None
    assert len(rows) == len(lines)
    for (text, shift), line in zip(rows, lines, strict=True):
        # What is kept stands where its shift says.
        code = text.rpartition("=")[2].lstrip() if "= %" in line else text.lstrip()
        code = unmeasured(code)
        if re.fullmatch(f"{_TIMED}:", code):
            continue
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
        ("%time ! gsutil cp gs://here/*.nc /content", "pass"),
        ("%timeit -n 3 %run script.py", "pass"),
        ("%load_ext tensorboard", "pass"),
        ("%time", "pass"),
        ("%timeits f(x)", "pass"),
        ("%timeit -p 3 -q f(x)", "f(x)"),
        ("%timeit -t f(x)", "f(x)"),
        ("%time --no-raise-error f(x)", "f(x)"),
        ("%memit -r 2 f(x)", "f(x)"),
        ("a[0]?", "pass"),
        ("x = f?", "pass"),
    ],
)
def test_lines(line, expected):
    assert unmeasured(python(f"if 1:\n    {line.strip()}")[1].strip()) == expected
    assert unmeasured(python(line)[0].strip()) == expected


@pytest.mark.parametrize("line", ["files = !ls *.py", "a, b = %sql select", "d['a'] = !!ls"])
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


def test_what_is_timed_is_python_even_where_its_result_is_kept():
    timed = TIMED.format("%timeit").removesuffix(":")
    often = TIMED.format("%timeit -n 3").removesuffix(":")
    assert python("x = %time f(1)") == [TIMED.format("%time") + " x = f(1)"]
    assert python("a, b = %time f(1)") == [TIMED.format("%time") + " a, b = f(1)"]
    assert python("t = %timeit -n 3 -o f(1)") == [f"{often} as t: f(1)"]
    assert python("t = %timeit -o f(1)  # why?") == [f"{timed} as t: f(1)  # why?"]
    assert python("t.own = %timeit -o f(1)") == ["t.own = get_ipython(f(1))"]


def test_commands_that_run_on_behind_an_assignment_or_a_magic():
    assert python("x = !ls \\\n  -l\ny") == ["x = get_ipython().run(None)", "", "y"]
    assert to_python(["%timeit -n 3 \\", "    f(x)"]) == [("", 0), ("f(x)", 4)]
    assert python("%time x = f(1) + \\\n  g(2)\ny") == ["x = f(1) + \\", "  g(2)", "y"]


def test_a_cell_that_is_indented():
    assert to_python(["  !ls", "  x = 1", "y = 2"]) == [("pass", 2), ("x = 1", 2), ("y = 2", 0)]
    assert to_python(["%%time", "  x = 1"]) == [(_CELL, 0), (" x = 1", 1)]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (">>> x = 1\n>>> def f(a):\n...     return a", ["x = 1", "def f(a):", "    return a"]),
        ("In [1]: x = 1\n   ...: y = 2", ["x = 1", "y = 2"]),
        ("# pasted\n>>> f(x)", ["# pasted", "f(x)"]),
    ],
)
def test_prompts_that_were_pasted(cell, expected):
    assert python(cell) == expected


@pytest.mark.parametrize("cell", ["pip install jax", "cd ..", "load_ext autoreload", "ls *.py"])
def test_magics_without_their_sign(cell):
    assert python(cell) == ["pass"]
    assert python(f"{cell}\n# done") == ["pass", "# done"]
    # Only where it is all of the cell.
    assert to_python([cell, "x = 1"]) == [(cell, 0), ("x = 1", 0)]


def test_a_magic_without_its_sign_that_runs_python():
    ((text, shift),) = to_python(["timeit -n 3 f(x)"]) or ()
    assert (unmeasured(text), shift + len(text) - 4) == ("f(x)", 12)
    assert python("time = 3") == ["time = 3"]


def test_comments_before_the_magic_of_a_cell():
    assert to_python(["#@title Setup", "%%bash", "ls -l"]) is None
    assert to_python(["# a", "%%time", "x = 1"]) == [("", 0), (_CELL, 0), (" x = 1", -1)]


def test_what_measures_is_known_to_those_who_select_code():
    assert MEASURED in TIMED.format("%time")


def test_what_a_magic_measures_is_a_block():
    assert to_python(["%time x = f(1)"]) == [(f"{_LINE} x = f(1)", 6 - len(_LINE) - 1)]
    assert python("for x in y:\n    %time f(x)")[1] == f"    {_LINE} f(x)"
    # Of several rows, or of what holds other statements, it is not told.
    assert python("%time f(1,\n  2)") == ["f(1,", "  2)"]
    assert python("%time for x in y: f(x)") == ["for x in y: f(x)"]
    assert python("%time import jax") == ["import jax"]


def test_what_the_magic_of_a_cell_measures_is_a_block():
    assert python("%%time\nfor x in y:\n    f(x)") == [_CELL, " for x in y:", "     f(x)"]
    assert python("%%time\nx = '''\ny'''\n\n!ls") == [_CELL, " x = '''", "y'''", "", " pass"]
    assert python("%%time\nimport jax\nx = 1") == ["", "import jax", "x = 1"]
    assert python("%%time\n# nothing") == ["", "# nothing"]


@pytest.mark.parametrize("name", ["time", "capture out", "prun -l 3", "timeit -n 3"])
def test_cells_that_run_here(name):
    assert [row.strip() for row in python(f"%%{name}\nx = 1\n!ls")[1:]] == ["x = 1", "pass"]


def test_a_cell_may_have_several_magics_and_rows_before_them():
    rows = to_python(["", "%%time", "%%capture", "", "f()"])
    assert rows == [("", 0), (_CELL, 0), ("", 0), ("", 0), (" f()", -1)]


def test_setup_of_timeit():
    assert python("%%timeit x = f(1)\nx + 1") == ["x = f(1)", "x + 1"]
    assert python("%%timeit -n 10 -r 3 x = 1\nx") == ["x = 1", "x"]
    assert python("%%timeit -n10\nx") == [TIMED.format("%%timeit -n 10"), " x"]


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

"""Examples in docstrings, as rows behind the module."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jitlint.cli.main import main
from jitlint.source.docstrings import with_examples
from jitlint.source.document import Document

MODULE = '''\
"""What it does.

>>> import jax
>>> @jax.jit
... def f(x):
...     return float(x)  # JIT105
>>> f(1.0)
Traceback (most recent call last):
    ...
"""
import jax


class Model:
    \'\'\'A model.

    Example:
        >>> text = """
        ...   kept as it is
        ... """
        >>> jax.jit(positive)(len(text))
    \'\'\'

    def apply(self, x):
        """>>> jax.jit(lambda é: int(é))(1)"""  # JIT105
        return x


def positive(x):
    if x > 0:  # JIT101
        return x
    return -x


def odd():
    """
    >>> broken (
    >>> if positive:
    ...     return_to = jax.jit(lambda a: int(a))  # JIT105
    """


def worse():
    """
    >>> from jax import *
    >>> jax.jit(lambda a: int(a))
    """
'''
HERE = Path("m.py")


def due() -> list[tuple[int, str]]:
    rows = MODULE.splitlines()
    return [(row, line[-6:]) for row, line in enumerate(rows, 1) if line[:-1].endswith("# JIT10")]


def test_the_module_stays_as_it_is_and_examples_follow():
    document = with_examples(Document(HERE, MODULE))
    assert document.text.startswith(MODULE)
    assert document.written(None) == tuple(MODULE.split("\n"))
    added = document.text[len(MODULE) :].splitlines()
    assert added[0] == "def examples_of_module():"
    assert "      kept as it is" not in added
    assert "  kept as it is" in added
    rows = MODULE.splitlines()
    assert document.origins is not None
    for line, origin in zip(document.lines, document.origins, strict=False):
        if line.startswith("def examples_of"):
            continue
        at = len(line) - len(line.lstrip())
        assert rows[origin.row - 1][at + origin.shift :].startswith(line.strip())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1\n",
        '"""No examples."""\n',
        's = """\n>>> x = 1\n"""\n',
        '"""\n>>> x = 1\n"""\nbroken (\n',
        '"""\n>>> )\n"""\n',
        '""">>> """\n',
    ],
)
def test_nothing_to_add(text):
    document = Document(HERE, text)
    assert with_examples(document) is document


def test_names_are_told_apart():
    text = 'def f():\n    """\n    >>> 1\n    """\n' * 2 + 'if f:\n    class A:\n        ">>> 2"\n'
    added = with_examples(Document(HERE, text)).text.splitlines()
    names = [line for line in added if line.startswith("def examples")]
    assert names == ["def examples_of_f():", "def examples_of_f_2():", "def examples_of_A():"]


def check(capsys, *arguments: str | Path) -> list[dict]:
    assert main(["check", "--output-format=json", *map(str, arguments)]) in (0, 1)
    return json.loads(capsys.readouterr().out)


def places(found: list[dict]) -> list[tuple[int, str]]:
    return [(item["location"]["row"], item["code"]) for item in found]


def test_reports_stand_in_the_docstrings(tmp_path, capsys):
    (tmp_path / "pyproject.toml").write_text("")
    path = tmp_path / "m.py"
    path.write_text(MODULE, encoding="utf-8")
    assert check(capsys, path) == []
    found = check(capsys, path, "--docstring-examples")
    assert places(found) == due()
    rows = MODULE.splitlines()
    for item in found:
        start, end = item["location"], item["end_location"]
        marked = rows[start["row"] - 1][start["column"] - 1 : end["column"] - 1]
        assert marked in ("float(x)", "int(é)", "x > 0", "int(a)")
        assert all(rows[step["row"] - 1].strip() for step in item["trace"])
    (tmp_path / "pyproject.toml").write_text("[tool.jitlint]\ndocstring-examples = true\n")
    assert check(capsys, tmp_path) == found
    assert main(["check", str(path)]) == 1
    assert "6 | ...     return float(x)  # JIT105" in capsys.readouterr().out


def test_what_an_example_binds_is_not_seen_elsewhere(tmp_path, capsys):
    (tmp_path / "pyproject.toml").write_text("")
    text = (
        'import jax\n\n\ndef step(x):\n    """\n    >>> def step(x):\n    ...     return float(x)\n'
    )
    (tmp_path / "m.py").write_text(text + '    """\n    return x\n')
    (tmp_path / "user.py").write_text("import jax\nfrom m import step\n\njax.jit(step)(1.0)\n")
    assert check(capsys, tmp_path, "--docstring-examples") == []


def test_comments_in_examples(tmp_path, capsys):
    (tmp_path / "pyproject.toml").write_text("")
    path = tmp_path / "m.py"
    text = MODULE.replace("# JIT", "# noqa: JIT").replace("f(1.0)", "f(1)  # noqa: JIT1")
    path.write_text(text.replace("int(é)", "é"), encoding="utf-8")
    assert places(check(capsys, path, "--docstring-examples")) == [(7, "JIT902"), (25, "JIT902")]


def test_no_comments_are_written_into_examples(tmp_path, capsys):
    (tmp_path / "pyproject.toml").write_text("[tool.jitlint]\ndocstring-examples = true\n")
    path = tmp_path / "m.py"
    path.write_text(MODULE, encoding="utf-8")
    assert main(["check", "--add-noqa", str(path)]) == 0
    capsys.readouterr()
    assert path.read_text(encoding="utf-8") == MODULE

"""Notebooks of every version, whole and broken."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from jitlint.cli.main import main
from jitlint.source.decoding import decode
from jitlint.source.document import DecodeFailure, Document
from jitlint.source.ipython import TIMED

PATH = Path("/p/n.ipynb")


def notebook(*cells: object, **fields: object) -> bytes:
    return json.dumps({"cells": list(cells), "nbformat": 4, "metadata": {}, **fields}).encode()


def code(source: object) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "outputs": [], "metadata": {}}


def read(data: bytes) -> Document:
    document = decode(data, PATH)
    assert isinstance(document, Document)
    assert len(document.origins or ()) == document.text.count("\n")
    return document


def refused(data: bytes) -> DecodeFailure:
    failure = decode(data, PATH)
    assert isinstance(failure, DecodeFailure)
    assert failure.message.startswith("not a notebook: ")
    return failure


def test_code_cells_follow_one_another():
    document = read(
        notebook(
            {"cell_type": "markdown", "source": ["# title"]},
            code(["import jax\n", "x = 1"]),
            {"cell_type": "raw", "source": "raw"},
            code("%time y = 2\nz = 3"),
        )
    )
    timed = f"{TIMED.format('%time')} "
    assert document.text == f"import jax\nx = 1\n{timed}y = 2\nz = 3\n"
    columns = (1, 1, len(timed) + 1, 1)
    assert [document.origin(row, column) for row, column in enumerate(columns, start=1)] == [
        (1, 1, 1), (1, 2, 1), (2, 1, 7), (2, 2, 1),
    ]  # fmt: skip
    assert document.written(2) == ("%time y = 2", "z = 3")
    assert document.written(9) == ()


@pytest.mark.parametrize("source", [None, "", [], ["\n"], "\r\nx\r\n"])
def test_empty_sources(source):
    assert read(notebook(code(source), code("y = 1"))).text.rstrip().endswith("y = 1")


def test_a_notebook_without_cells():
    assert read(notebook()).text == ""
    assert read(notebook(cells=None)).text == ""
    assert read(b'{"cells": [], "nbformat": 4}').text == ""


def test_version_3():
    sheet = {"cells": [{"cell_type": "code", "input": ["x = 1\n", "!ls"], "language": "python"}]}
    data = json.dumps({"nbformat": 3, "worksheets": [sheet, {}]}).encode()
    assert read(data).text == "x = 1\npass\n"


def test_byte_order_mark():
    assert read(b"\xef\xbb\xbf" + notebook(code("x = 'é'"))).text == "x = 'é'\n"


@pytest.mark.parametrize(
    "metadata",
    [
        {"language_info": {"name": "julia"}},
        {"kernelspec": {"language": "R", "name": "ir"}},
    ],
)
def test_other_languages(metadata):
    document = read(notebook(code("x <- 1"), metadata=metadata))
    assert (document.text, document.broken) == ("", ())


@pytest.mark.parametrize(
    "metadata", [{}, None, 3, {"kernelspec": None}, {"language_info": {"name": "ipython"}}]
)
def test_python_in_every_wording(metadata):
    assert read(notebook(code("x = 1"), metadata=metadata)).text == "x = 1\n"


def test_a_broken_cell_is_left_out_and_told():
    document = read(notebook(code("x = 1"), code("y = 2\ndef (:\n"), code("z = 3")))
    (failure,) = document.broken
    assert document.origin(failure.row, failure.column) == (2, 2, 5)
    assert "z = 3" in document.text.split("\n")
    assert "y = 2" not in document.text.split("\n")


@pytest.mark.parametrize("name", ["julia-1.9", "ir", "bash", ".net-fsharp"])
def test_kernels_of_other_languages_that_name_none(name):
    data = notebook(code("using jax\nx = [1 2]"), metadata={"kernelspec": {"name": name}})
    assert read(data).text == ""


@pytest.mark.parametrize("name", ["python3", "venv", "iris", "conda-env-jax-py", "my-irregular"])
def test_kernels_of_any_name_are_pythons(name):
    assert read(notebook(code("x = 1"), metadata={"kernelspec": {"name": name}})).text == "x = 1\n"


def test_a_cell_in_a_language_of_its_own():
    sql = {**code("select 1"), "metadata": {"vscode": {"languageId": "sql"}}}
    python = {**code("x = 1"), "metadata": {"vscode": {"languageId": "python"}}}
    document = read(notebook(sql, python))
    assert (document.text, document.broken) == ("\nx = 1\n", ())


NEWER = "type Vector = list[float]\nx = 1"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
def test_a_cell_with_syntax_newer_than_this_python_is_not_wrong(tmp_path, capsys):
    (tmp_path / "setup.cfg").touch()
    hostile = "import jax\njax.jit(lambda x: int(x))(1)"
    (tmp_path / "n.ipynb").write_bytes(notebook(code(NEWER), code(hostile), code("def (")))
    assert main(["check", "--isolated", "--output-format=json", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(item["cell"], item["code"], item["severity"]) for item in found] == [
        (2, "JIT105", "error"),
        (3, "JIT901", "error"),
    ]


@pytest.mark.parametrize("cell", ["x = '\0'", "x = '\ud800'", "x = '\u2028'\ny = '\f'"])
def test_characters_that_python_files_cannot_hold(cell):
    document = read(notebook(code(cell), code("y = 1")))
    document.text.encode()
    assert document.broken == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b"\x80\x02",
        b"\x89PNG\r\n\x1a\n\0",
        b'{"nbformat": 4}',
        b'{"cells": 3}',
        b'{"cells": [3]}',
        b'{"cells": [{"cell_type": "code", "source": [3]}]}',
        b'{"cells": [{"cell_type": "code", "source": {}}]}',
        b"[" * 100_000,
        b'{"cells": [' + b"1" * 5000 + b"]}",
    ],
)
def test_what_is_no_notebook(data):
    refused(data)


def test_where_the_json_breaks():
    failure = refused(b'{"cells": [\n  {"cell_type": code}\n]}')
    assert (failure.row, failure.column) == (2, 17)

"""Notebooks and prose written as users write them: each report at its cell and row.

A comment ``# JIT101`` ends each row where a report is due, whatever the document.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jitlint.cli.main import main
from jitlint.source.decoding import read_document
from jitlint.source.document import Document, is_document

HERE = Path(__file__).resolve().parent
LABEL = re.compile(r"#((?:\s+JIT\d{3})+)\s*$")
DOCUMENTS = sorted(path for path in HERE.iterdir() if is_document(path))
SCHEMA = json.loads((HERE.parents[1] / "jitlint" / "schemas" / "report.json").read_text())


def blocks(path: Path) -> list[tuple[int | None, list[str]]]:
    """The rows of each cell, or of the file; read apart from how jitlint does it."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return [(None, text.split("\n"))]
    data = json.loads(text)
    cells = data["cells"] if "cells" in data else data["worksheets"][0]["cells"]
    sources = [
        cell.get("source", cell.get("input")) for cell in cells if cell["cell_type"] == "code"
    ]
    return [(cell, "".join(source).split("\n")) for cell, source in enumerate(sources, start=1)]


def due(path: Path) -> list[tuple[int | None, int, str]]:
    return [
        (cell, row, code)
        for cell, lines in blocks(path)
        for row, line in enumerate(lines, start=1)
        if (label := LABEL.search(line))
        for code in label[1].split()
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The documents as a project of their own."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "setup.cfg").touch()
    for path in DOCUMENTS:
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.fixture
def reports(capsys):
    def run(*arguments: str | Path) -> list[dict[str, Any]]:
        options = ["check", "--isolated", "--output-format", "json"]
        assert main([*options, *map(str, arguments)]) in (0, 1)
        return json.loads(capsys.readouterr().out)

    return run


def places(found: list[dict[str, Any]]) -> list[tuple[int | None, int, str]]:
    return [(item["cell"], item["location"]["row"], item["code"]) for item in found]


def test_there_are_ten():
    assert len(DOCUMENTS) >= 10


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_each_report_is_at_its_cell_and_row(path, folder, reports):
    found = reports(folder / path.name)
    assert places(found) == due(path)
    jsonschema.validate(found, SCHEMA)
    text = dict(blocks(path))
    for item in found:
        rows = text[item["cell"]]
        start, end = item["location"], item["end_location"]
        assert end["row"] <= len(rows)
        if start["row"] == end["row"] and item["code"] != "JIT901":
            marked = rows[start["row"] - 1][start["column"] - 1 : end["column"] - 1]
            assert marked == marked.strip() != ""
            assert "`" not in item["message"] or marked.split("(")[0] in rows[start["row"] - 1]
        for step in item["trace"]:
            line = text[step.get("cell")][step["row"] - 1]
            assert line[step["column"] - 1 :].strip()


def test_a_folder_of_documents(folder, reports):
    found = reports(folder)
    names = {Path(item["filename"]).name for item in found}
    assert names == {path.name for path in DOCUMENTS if due(path)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
@pytest.mark.parametrize("output", ["full", "concise", "sarif", "github", "gitlab", "junit"])
def test_every_format(path, output, folder, capsys):
    name = str(folder / path.name)
    assert main(["check", "--isolated", "--output-format", output, name]) in (0, 1)
    out = capsys.readouterr().out
    cells = {cell for cell, *_ in due(path)} - {None}
    if output == "concise":
        assert all(f"{path.name}:cell {cell}:" in out for cell in cells)
    if output == "full":
        for item in due(path):
            line = dict(blocks(path))[item[0]][item[1] - 1]
            assert line.rstrip() in out


def test_comments(tmp_path, reports):
    (tmp_path / "setup.cfg").touch()
    cells = [
        "import jax",
        "@jax.jit\ndef f(x):\n    return float(x)  # noqa: JIT105",
        "@jax.jit\ndef g(x):\n    return int(x)  # jitlint: ignore[JIT1] here",
        "x = 1  # noqa: JIT101",
    ]
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": c} for c in cells]}))
    assert places(reports(path)) == [(4, 1, "JIT902")]
    prose = tmp_path / "t.md"
    prose.write_text(
        "".join(
            f"* item\n\n  ```python\n  {c.replace(chr(10), chr(10) + '  ')}\n  ```\n" for c in cells
        )
    )
    (unused,) = reports(prose)
    assert (unused["code"], unused["location"]) == ("JIT902", {"row": 23, "column": 10})


def test_add_noqa_silences_notebooks_and_leaves_prose_alone(tmp_path, capsys, reports):
    (tmp_path / "setup.cfg").touch()
    for path in DOCUMENTS:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert main(["check", "--isolated", "--add-noqa", str(tmp_path)]) == 2
    assert "more than Python" in capsys.readouterr().err
    for path in DOCUMENTS:
        copy = tmp_path / path.name
        if path.suffix == ".ipynb":
            assert not [item for item in reports(copy) if not item["code"].startswith("JIT9")]
        else:
            assert copy.read_bytes() == path.read_bytes()


def test_standard_input(monkeypatch, tmp_path, capsys):
    import io
    import sys

    class Stdin:
        buffer = io.BytesIO((HERE / "broken_cells.ipynb").read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin())
    monkeypatch.chdir(tmp_path)
    name = ["--stdin-filename", "broken_cells.ipynb"]
    assert main(["check", "--isolated", "-", *name, "--output-format", "json"]) == 1
    assert places(json.loads(capsys.readouterr().out)) == due(HERE / "broken_cells.ipynb")


def test_traced_functions_of_a_notebook(folder, capsys):
    name = str(folder / "old_version.ipynb")
    assert main(["traced", "--isolated", name, "--output-format=json"]) == 0
    (item,) = json.loads(capsys.readouterr().out)
    assert (item["cell"], item["row"], item["qualname"]) == (2, 2, "f")
    assert item["trace"][0]["cell"] == 2


def test_a_notebook_imports_the_project_but_not_the_other_way_round(tmp_path, reports):
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "train.py").write_text("def step(x):\n    return float(x)\n")
    (tmp_path / "other.py").write_text("import jax\nfrom train import step\njax.jit(len)\n")
    cells = ["import jax\nfrom train import step", "jax.jit(step)(1.0)"]
    data = {"cells": [{"cell_type": "code", "source": c} for c in cells]}
    # A notebook of the same name as a module must not stand in its way.
    (tmp_path / "train.ipynb").write_text(json.dumps(data))
    (tmp_path / "train.md").write_text("```python\nimport jax\nstep = 3\n```\n")
    (item,) = reports(tmp_path)
    assert (Path(item["filename"]).name, item["location"]["row"]) == ("train.py", 2)
    assert (item["trace"][0]["cell"], item["trace"][0]["row"]) == (2, 1)


def test_what_is_no_notebook_is_told_at_its_place(tmp_path, reports):
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "n.ipynb").write_text('{"cells": [\n oops')
    (item,) = reports(tmp_path)
    assert (item["code"], item["cell"], item["location"]) == (
        "JIT901",
        None,
        {"row": 2, "column": 2},
    )


@pytest.mark.parametrize("name", ["first_jit.ipynb", "tutorial.md", "doctest.md"])
def test_a_place_and_its_origin_are_inverse(name: str) -> None:
    document = read_document(HERE / name)
    assert isinstance(document, Document)
    assert document.origins
    for row, line in enumerate(document.lines[:-1], 1):
        if line.strip():
            assert document.place(*document.origin(row, 80)) == (row, 80)

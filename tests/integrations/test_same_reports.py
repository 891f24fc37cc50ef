"""Every way to the reports shows the same ones."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest

from jitlint.rules.registry import all_rules
from tests.commands import jitlint
from tests.integrations import lsp_client

ROOT = Path(__file__).resolve().parents[2]
SARIF = ROOT / "tests" / "output" / "schemas" / "sarif-schema-2.1.0.json"
EVERYTHING = ",".join(rule.code for rule in all_rules())


def run(*command: str | Path, cwd: Path) -> str:
    module, *arguments = command
    done = jitlint(*arguments, cwd=cwd, module=str(module))
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def check(folder: Path, output_format: str) -> Any:
    options = ("--isolated", "--select", EVERYTHING)
    text = run("jitlint", "check", folder, *options, "--output-format", output_format, cwd=folder)
    return json.loads(text)


def from_json(reports: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [
        (
            item["code"],
            item["filename"],
            *item["location"].values(),
            *item["end_location"].values(),
            item["message"],
            tuple(
                (step["filename"], step["row"], step["column"], step["note"])
                for step in item["trace"]
            ),
        )
        for item in reports
    ]


def from_sarif(log: dict[str, Any]) -> list[tuple[Any, ...]]:
    (sarif_run,) = log["runs"]
    base = {name: entry["uri"] for name, entry in sarif_run["originalUriBaseIds"].items()}

    def place(location: dict[str, Any]) -> tuple[str, tuple[int, ...]]:
        physical = location["physicalLocation"]
        artifact = physical["artifactLocation"]
        uri = base.get(artifact.get("uriBaseId"), "") + artifact["uri"]
        return unquote(urlsplit(uri).path), tuple(physical["region"].values())

    found = []
    for result in sarif_run["results"]:
        filename, region = place(result["locations"][0])
        steps = []
        for related in result.get("relatedLocations", []):
            other, (row, column) = place(related)
            steps.append((other, row, column, related["message"]["text"]))
        found.append((result["ruleId"], filename, *region, result["message"]["text"], tuple(steps)))
    return found


def from_server(folder: Path) -> list[tuple[Any, ...]]:
    """The reports on every file of a folder, all of them open at once."""
    select = {"select": EVERYTHING.split(",")}
    published: dict[str, list[dict[str, Any]]] = {}

    def path_of(uri: str) -> str:
        return unquote(urlsplit(uri).path)

    def corner(position: dict[str, int]) -> tuple[int, int]:
        return position["line"] + 1, position["character"] + 1

    with lsp_client.Client([folder], initialization=select, encodings=["utf-32"]) as client:
        names = {client.open(path) for path in sorted(folder.rglob("*.py"))}
        while published.keys() != names:
            message = client._until(
                lambda m: m.get("method") == "textDocument/publishDiagnostics", 300
            )
            published[message["params"]["uri"]] = message["params"]["diagnostics"]
    return [
        (
            item["code"],
            path_of(uri),
            *corner(item["range"]["start"]),
            *corner(item["range"]["end"]),
            item["message"],
            tuple(
                (
                    path_of(step["location"]["uri"]),
                    *corner(step["location"]["range"]["start"]),
                    step["message"],
                )
                for step in item.get("relatedInformation", [])
            ),
        )
        for uri in sorted(published, key=path_of)
        for item in published[uri]
    ]


def from_flake8(folder: Path, tmp_path: Path) -> set[tuple[Any, ...]]:
    config = tmp_path / "flake8.ini"
    text = "[flake8]\n"
    if not any(point.name == "JIT" for point in entry_points(group="flake8.extension")):
        text += "[flake8:local-plugins]\nextension = JIT = jitlint.integrations.flake8:Plugin\n"
    config.write_text(text)
    out = run(
        "flake8", "--config", config, f"--select={EVERYTHING}", "--exclude=.git,__pycache__", "-j1",
        "--format=%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s", folder, cwd=folder,
    )  # fmt: skip
    found = set()
    for line in out.splitlines():
        filename, row, column, code, message = line.split("\t", 4)
        found.add((code, filename, int(row), int(column), message))
    return found


def test_check_and_sarif_agree_on_documents(tmp_path):
    documents = ROOT / "tests" / "documents"
    for path in documents.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    reports = from_json(check(tmp_path, "json"))
    assert len(reports) > 40
    log = check(tmp_path, "sarif")
    jsonschema.validate(log, json.loads(SARIF.read_text(encoding="utf-8")))
    assert from_sarif(log) == reports


def open_notebook(client: Any, path: Path) -> dict[str, int]:
    """Open a notebook as editors do; gives the number of each code cell by its URI."""
    content = json.loads(path.read_text(encoding="utf-8"))
    cells = content["cells"] if "cells" in content else content["worksheets"][0]["cells"]
    listed, texts, code = [], [], {}
    for number, cell in enumerate(cells):
        uri = f"vscode-notebook-cell:{path.as_posix()}#W{number}sZmlsZQ%3D%3D"
        is_code = cell["cell_type"] == "code"
        listed.append({"kind": 2 if is_code else 1, "document": uri})
        if is_code:
            code[uri] = len(code) + 1
            language = content["metadata"].get("language_info", {}).get("name", "python")
            text = "".join(cell.get("source", cell.get("input")) or [])
            texts.append({"uri": uri, "languageId": language, "version": 1, "text": text})
    book = {"uri": path.as_uri(), "notebookType": "jupyter-notebook", "version": 1}
    client.notify(
        "notebookDocument/didOpen",
        {"notebookDocument": {**book, "cells": listed}, "cellTextDocuments": texts},
    )
    return code


def test_check_and_server_agree_on_documents(tmp_path):
    pytest.importorskip("pygls")
    (tmp_path / "pyproject.toml").write_text("")
    for path in (ROOT / "tests" / "documents").iterdir():
        if path.is_file() and path.suffix != ".py":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    due: dict[tuple[str, int | None], list[tuple[Any, ...]]] = {}
    for item in check(tmp_path, "json"):
        chain = [(step["row"], step["column"], step["note"]) for step in item["trace"]]
        place = (*item["location"].values(), *item["end_location"].values())
        key = Path(item["filename"]).name, item["cell"]
        due.setdefault(key, []).append((item["code"], *place, item["message"], chain))
    found: dict[tuple[str, int | None], list[tuple[Any, ...]]] = {}
    select = {"select": EVERYTHING.split(",")}
    with lsp_client.Client([tmp_path], initialization=select, encodings=["utf-32"]) as client:
        parts: dict[str, tuple[str, int | None]] = {}
        for path in sorted(tmp_path.iterdir()):
            if path.suffix == ".ipynb":
                numbers = open_notebook(client, path)
                parts |= {uri: (path.name, number) for uri, number in numbers.items()}
            elif path.is_file() and path.suffix != ".toml":
                language = "restructuredtext" if path.suffix == ".rst" else "markdown"
                text = {"uri": path.as_uri(), "languageId": language, "version": 1}
                text["text"] = path.read_text(encoding="utf-8")
                client.notify("textDocument/didOpen", {"textDocument": text})
                parts[path.as_uri()] = path.name, None
        while parts.keys() - {uri for uri, key in parts.items() if key in found}:
            message = client._until(lambda m: m.get("method") == "textDocument/publishDiagnostics")
            params = message["params"]
            found[parts[params["uri"]]] = [
                (
                    item["code"],
                    *(value + 1 for end in item["range"].values() for value in end.values()),
                    item["message"],
                    [
                        (
                            step["location"]["range"]["start"]["line"] + 1,
                            step["location"]["range"]["start"]["character"] + 1,
                            step["message"],
                        )
                        for step in item.get("relatedInformation", [])
                    ],
                )
                for item in params["diagnostics"]
            ]
    assert {key: items for key, items in found.items() if items} == due


@pytest.mark.slow
def test_check_server_sarif_and_flake8_agree(tmp_path):
    pytest.importorskip("pygls")
    folder = tmp_path / "project"
    # Of every rule one that has something to report; what was learned later differs in where a
    # value comes from.
    for own in sorted((ROOT / "fixtures").glob("JIT*")):
        paths = sorted(own.glob("*.py"))
        labelled = (path for path in paths if "# expect: " in path.read_text(encoding="utf-8"))
        (folder / own.name).mkdir(parents=True)
        # What is an info has no labels.
        shutil.copy(next(labelled, own / "same_function.py"), folder / own.name)
    # And a program of several modules.
    shutil.copytree(ROOT / "tests" / "programs" / "rootfinding_lib", folder / "rootfinding_lib")
    (folder / "pyproject.toml").write_text("")
    reports = from_json(check(folder, "json"))
    assert {report[0] for report in reports} >= {path.name[:6] for path in folder.glob("JIT*")}
    assert any(step[0] != report[1] for report in reports for step in report[-1])
    assert from_sarif(check(folder, "sarif")) == reports
    assert sorted(from_server(folder)) == sorted(reports)
    starts = {(code, name, row, column, text) for code, name, row, column, *_, text, _ in reports}
    assert from_flake8(folder, tmp_path) == starts

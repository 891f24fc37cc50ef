"""The extension for VS Code and the server agree; the extension's own tests are in its folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from jitlint.integrations.server.settings import Faults, Settings, read_settings

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
#: what the extension itself reads
OWN = {"path", "interpreter", "trace.server"}


@pytest.fixture(scope="module")
def contributes() -> Any:
    return json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))["contributes"]


def _settings(contributes: Any) -> dict[str, Any]:
    found = contributes["configuration"]["properties"]
    assert all(name.startswith("jitlint.") for name in found)
    return {name.removeprefix("jitlint."): rest for name, rest in found.items()}


def test_the_server_reads_what_is_sent_and_by_default_nothing_is_chosen(contributes: Any) -> None:
    sent = {
        name: setting["default"]
        for name, setting in _settings(contributes).items()
        if name not in OWN
    }
    settings, faults = read_settings(sent, ROOT)
    assert faults == Faults()
    assert settings == Settings()


def test_everything_that_the_server_reads_can_be_set(contributes: Any) -> None:
    source = (EXTENSION / "src" / "settings.ts").read_text(encoding="utf-8")
    listed = re.search(r"SERVER_SETTINGS = \[(.*?)\]", source, re.DOTALL)
    assert listed is not None
    sent = set(re.findall(r'"(\w+)"', listed[1]))
    assert sent == _settings(contributes).keys() - OWN
    plain = {name.lower() for name in sent}
    assert plain == {name.replace("_", "") for name in Settings.__dataclass_fields__}


@pytest.mark.parametrize("value", ["info", "warning", "error", None])
def test_severities_are_those_of_the_server(contributes: Any, value: str | None) -> None:
    assert value in _settings(contributes)["minSeverity"]["enum"]
    assert read_settings({"minSeverity": value}, ROOT)[1] == Faults()


def test_its_page_names_all_settings_and_commands(contributes: Any) -> None:
    page = (EXTENSION / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `jitlint\.([\w.]+)` \|", page, re.MULTILINE)
    assert sorted(named) == sorted(_settings(contributes))
    titles = [f"{item['category']}: {item['title']}" for item in contributes["commands"]]
    assert re.findall(r"^\| (jitlint: [^|]+?) \|", page, re.MULTILINE) == titles


def test_the_lock_names_no_registry() -> None:
    lock = (EXTENSION / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in lock
    assert '"resolved"' not in lock

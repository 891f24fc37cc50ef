"""Addresses come from the metadata of what is installed, and where it has none, none is claimed."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from jitlint.diagnostics import Diagnostic, Location, Severity
from jitlint.output.formats import render
from jitlint.output.report import Report
from jitlint.rules import addresses

REPORT = Diagnostic(
    code="JIT101",
    name="branch-on-traced-value",
    severity=Severity.ERROR,
    message="`x > 0` is traced here",
    help=None,
    filename="/project/a.py",
    location=Location(6, 8),
    end_location=Location(6, 13),
    function="f",
    trace=(),
    hazard=None,
    noqa_row=6,
    fingerprint="0123",
)


@pytest.fixture
def metadata(monkeypatch: pytest.MonkeyPatch) -> Iterator[Message]:
    """What is installed says of itself, which may be added to."""
    found = Message()
    monkeypatch.setattr(importlib.metadata, "metadata", lambda name: found)
    addresses._address.cache_clear()
    yield found
    addresses._address.cache_clear()


def rendered(name: str) -> str:
    where = Path("/project")
    made = Report(diagnostics=[REPORT], lines_of=lambda _: None, folder=where, root=where)
    return "\n".join(render(name, made))


def test_without_addresses_none_is_claimed(metadata: Message) -> None:
    assert addresses.homepage() is None
    assert addresses.page_address("JIT101") is None
    assert json.loads(rendered("json"))[0]["url"] is None
    driver = json.loads(rendered("sarif"))["runs"][0]["tool"]["driver"]
    assert "informationUri" not in driver
    assert "url" not in json.loads(rendered("rdjson"))["diagnostics"][0]["code"]


def test_formats_lead_to_the_page_of_the_rule(metadata: Message) -> None:
    metadata["Project-URL"] = "Homepage, https://project.test"
    metadata["Project-URL"] = "Documentation, https://project.test/docs/"
    page = "https://project.test/docs/rules/JIT101/"
    assert json.loads(rendered("json"))[0]["url"] == page
    assert json.loads(rendered("json-lines"))["url"] == page
    assert json.loads(rendered("rdjson"))["diagnostics"][0]["code"]["url"] == page
    driver = json.loads(rendered("sarif"))["runs"][0]["tool"]["driver"]
    assert driver["informationUri"] == "https://project.test"
    (rule,) = [rule for rule in driver["rules"] if rule["id"] == "JIT101"]
    assert rule["helpUri"] == page


def test_what_is_not_installed_has_no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Message:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "metadata", missing)
    addresses._address.cache_clear()
    assert addresses.homepage() is None
    addresses._address.cache_clear()

"""The schemas in the package agree with what is written and read."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from jitlint.analysis import engine
from jitlint.config import configuration
from jitlint.diagnostics import Diagnostic, Location, Severity, TraceStep
from jitlint.rules.registry import all_rules
from jitlint.usage_errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
REPORT, CONFIGURATION = (
    json.loads((files("jitlint") / "schemas" / f"{name}.json").read_text())
    for name in ("report", "configuration")
)


@pytest.mark.parametrize("schema", [REPORT, CONFIGURATION])
def test_they_are_schemas(schema):
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.fixture(scope="module")
def found():
    folders = sorted((ROOT / "fixtures").glob("JIT*"))[::3]
    return [item for it in folders for item in engine.analyze(it, [it]).diagnostics]


def test_reports_of_fixtures(found):
    assert len(found) > 100
    jsonschema.validate([item.to_json() for item in found], REPORT)


def test_every_field_and_every_hazard():
    names = set(REPORT["$defs"]["report"]["properties"])
    for cell in (None, 2):
        item = Diagnostic(
            "JIT901", "syntax-error", Severity.INFO, "m", None, "/a", Location(1, 1),
            Location(1, 2), None, (TraceStep("/a", 1, 1, "n"),), None, 1, "", cell,
        )  # fmt: skip
        assert set(item.to_json()) == names
        jsonschema.validate([item.to_json()], REPORT)
    kinds = set(REPORT["$defs"]["hazard"]["properties"]["kind"]["enum"])
    assert {rule.hazard.kind for rule in all_rules() if rule.hazard} <= kinds


@pytest.mark.parametrize(
    ("field", "value"),
    [("code", "F401"), ("severity", "fatal"), ("cell", 0), ("location", {"row": 0, "column": 1})],
)
def test_a_wrong_report_does_not_pass(field, value, found):
    item = found[0]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([{**item.to_json(), field: value}], REPORT)


def test_the_configuration_keys_are_those_that_are_read():
    assert set(CONFIGURATION["properties"]) == set(configuration._KEYS)


READ = [
    {},
    {"select": ["JIT1", "jit105"], "ignore": [], "extend-select": ["JIT901"]},
    {"min-severity": "info"},
    {"min-severity": "Error"},
    {"docstring-examples": True},
    {"assume-traced": ["mylib.losses.*", "src/mylib/ops/*.py"]},
    {"assume-traced": {"mylib.solve": ["method"], "mylib.é": []}},
    {"exclude": ["a/*"], "extend-exclude": ["b"], "src": ["lib"]},
    {"per-file-ignores": {"tests/*": ["JIT101"]}},
    {"traced-callables": {"a.b": {"argument": 0, "static": "s"}, "c": 1, "d": "f", "é": {}}},
]
REFUSED = [
    {"selec": ["JIT1"]},
    {"select": "JIT1"},
    {"select": ["E501"]},
    {"select": ["JIT1011"]},
    {"ignore": [1]},
    {"min-severity": "fatal"},
    {"min-severity": 1},
    {"docstring-examples": 1},
    {"docstring-examples": "true"},
    {"assume-traced": "mylib.*"},
    {"assume-traced": [""]},
    {"assume-traced": {"mylib.solve": "method"}},
    {"assume-traced": {"mylib.solve": ["a b"]}},
    {"exclude": "a"},
    {"src": [1]},
    {"per-file-ignores": ["a"]},
    {"per-file-ignores": {"a": "JIT1"}},
    {"traced-callables": ["a"]},
    {"traced-callables": {"a-b": 0}},
    {"traced-callables": {"a.": 0}},
    {"traced-callables": {"a": -1}},
    {"traced-callables": {"a": ""}},
    {"traced-callables": {"a": True}},
    {"traced-callables": {"a": {"argument": 0, "x": 1}}},
    {"traced-callables": {"a": {"static": "x y"}}},
]


@pytest.mark.parametrize("settings", READ)
def test_what_is_read_is_valid(settings):
    configuration._build(Path("/p/pyproject.toml"), settings)
    jsonschema.validate(settings, CONFIGURATION)


@pytest.mark.parametrize("settings", REFUSED)
def test_what_is_refused_is_invalid(settings):
    with pytest.raises(UsageError):
        configuration._build(Path("/p/pyproject.toml"), settings)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(settings, CONFIGURATION)


def test_the_example_of_the_documentation_is_valid():
    import tomllib

    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(\[tool\.jitlint\]\n.*?)```", text, re.DOTALL)
    jsonschema.validate(tomllib.loads(block)["tool"]["jitlint"], CONFIGURATION)

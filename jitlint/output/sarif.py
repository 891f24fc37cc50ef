"""SARIF 2.1.0, for code scanning services and viewers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jitlint import __version__
from jitlint.diagnostics import Diagnostic, Fix, Location, Severity, TraceStep
from jitlint.foundation.phrases import counted
from jitlint.output.report import Judgement, Report
from jitlint.rules.addresses import homepage, page_address
from jitlint.rules.meta import RuleMeta
from jitlint.rules.registry import all_rules
from jitlint.source.file_names import file_uri, relative_name, uri_path

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
#: The name under which the root stands in ``originalUriBaseIds``.
_ROOT = "PROJECTROOT"
#: The name and version of our fingerprint; the number grows when its making changes.
_FINGERPRINT = "jitlintFingerprint/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    yield from json.dumps(_log(report), indent=2).splitlines()


def _log(report: Report) -> dict[str, Any]:
    rules = all_rules()
    positions = {rule.code: position for position, rule in enumerate(rules)}
    driver: dict[str, Any] = {
        "name": "jitlint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules],
    }
    address = homepage()
    if address is not None:
        driver["informationUri"] = address
    invocation: dict[str, Any] = {"executionSuccessful": not report.failures}
    if report.failures:
        text = f"{counted(report.failures, 'file')} could not be checked"
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": text}}]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [invocation],
                "originalUriBaseIds": {_ROOT: {"uri": _folder_uri(report.top)}},
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(item, judgement, report, positions) for item, judgement in report.judged
                ],
            }
        ],
    }


def _folder_uri(folder: Path) -> str:
    return f"{file_uri(str(folder)).rstrip('/')}/"


def _rule(rule: RuleMeta) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": _help(rule), "markdown": _help_markdown(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"since": rule.since},
    }
    address = page_address(rule.code) or next(iter(rule.references), None)
    if address is not None:
        found["helpUri"] = address
    if rule.hazard is not None:
        found["properties"]["hazard"] = rule.hazard.to_json()
    return found


def _help(rule: RuleMeta) -> str:
    parts = [rule.why, rule.help]
    for title, example in (("Fails", rule.bad), ("Works", rule.good)):
        if example is not None:
            parts.append(f"{title}:\n\n{example.code}")
    return "\n\n".join(part.strip() for part in parts)


def _help_markdown(rule: RuleMeta) -> str:
    parts = [f"# {rule.code} {rule.name}", rule.why, rule.help]
    for title, example in (("Fails", rule.bad), ("Works", rule.good)):
        if example is not None:
            parts.append(f"{title}:\n\n```python\n{example.code.strip()}\n```")
    return "\n\n".join(part.strip() for part in parts)


def _result(
    item: Diagnostic, judgement: Judgement | None, report: Report, positions: dict[str, int]
) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": _place(item.filename, report, item.location, item.end_location)
    }
    names = []
    if item.cell is not None:
        names.append(_cell(item.cell))
    if item.function:
        names.append({"fullyQualifiedName": item.function, "kind": "function"})
    if names:
        location["logicalLocations"] = names
    result: dict[str, Any] = {
        "ruleId": item.code,
        "level": _LEVELS[item.severity],
        "message": {"text": item.message},
        "locations": [location],
    }
    if item.code in positions:
        result["ruleIndex"] = positions[item.code]
    if item.trace:
        result["relatedLocations"] = list(_related(item.trace, report))
    # Of a notebook, regions are those of its cells: no tool could put a text in there.
    if item.fix is not None and item.cell is None:
        result["fixes"] = [_fix(item, item.fix, report)]
    if item.fingerprint:
        result["partialFingerprints"] = {_FINGERPRINT: item.fingerprint}
    properties: dict[str, Any] = {}
    if item.cell is not None:
        properties["cell"] = item.cell
    if item.help:
        properties["help"] = item.help
    if item.hazard is not None:
        properties["hazard"] = item.hazard.to_json()
    if judgement is not None:
        properties["verdicts"] = judgement.data
    if properties:
        result["properties"] = properties
    return result


def _fix(item: Diagnostic, fix: Fix, report: Report) -> dict[str, Any]:
    place = _place(item.filename, report, item.location)
    replacements = [
        {
            "deletedRegion": _region(edit.location, edit.end_location),
            "insertedContent": {"text": edit.content},
        }
        for edit in fix.edits
    ]
    changes = [{"artifactLocation": place["artifactLocation"], "replacements": replacements}]
    return {
        "description": {"text": fix.message},
        "artifactChanges": changes,
        "properties": {"applicability": fix.applicability.value},
    }


def _cell(number: int) -> dict[str, Any]:
    return {"fullyQualifiedName": f"cell {number}", "kind": "module"}


def _related(steps: Iterable[TraceStep], report: Report) -> Iterator[dict[str, Any]]:
    """The chain from the transform to the fault, in order."""
    for number, step in enumerate(steps, start=1):
        location = {
            "id": number,
            "physicalLocation": _place(step.filename, report, Location(step.row, step.column)),
            "message": {"text": step.note},
        }
        if step.cell is not None:
            location["logicalLocations"] = [_cell(step.cell)]
        yield location


def _place(
    filename: str, report: Report, start: Location, end: Location | None = None
) -> dict[str, Any]:
    name = relative_name(filename, report.top)
    artifact = (
        {"uri": file_uri(filename)} if name is None else {"uri": uri_path(name), "uriBaseId": _ROOT}
    )
    return {"artifactLocation": artifact, "region": _region(start, end)}


def _region(start: Location, end: Location | None) -> dict[str, int]:
    region = {"startLine": start.row, "startColumn": start.column}
    if end is not None:
        region |= {"endLine": end.row, "endColumn": end.column}
    return region

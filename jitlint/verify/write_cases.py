"""``jitlint verify --write-cases``: the calls that were made up, as files of example calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jitlint.verify.driving.verdicts import CONFIRMED, OWN_CALL, Verified

_HEAD = '''\
"""Calls that `jitlint verify` made up, and that confirm what `jitlint check` reports.

To be edited: what is plausible to the verifier may not be so to you.
"""
'''


def write_cases(verified: Verified, root: Path, folder: Path) -> list[str]:
    """Write a file for each module with reports that a made-up call has confirmed.

    Files that are there already are left alone.

    Args:
      verified: the outcome.
      root: the project's root; the files are named as the modules are, relative to it.
      folder: where to write them; the folder ``cases`` of the root is one that is read again.

    Returns:
      One line for each module for which nothing was written.

    Raises:
      OSError: the folder cannot be written to.
    """
    by_file: dict[str, list[Mapping[str, Any]]] = {}
    for report in verified.reports:
        if _made_up(report) is not None:
            by_file.setdefault(report["filename"], []).append(report)
    left = []
    for filename, reports in by_file.items():
        path = Path(filename)
        inside = path.relative_to(root) if path.is_relative_to(root) else Path(path.name)
        target = folder / inside
        if target.exists():
            left.append(f"{target} is there already, so nothing was written for {filename}")
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_file(reports), encoding="utf-8")
    return left


def _made_up(report: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The reproducer of a report that a made-up call has confirmed."""
    for verdict in report["verdicts"]:
        evidence = verdict["evidence"]
        if verdict["verdict"] == CONFIRMED and evidence["by"] != OWN_CALL:
            found: Mapping[str, Any] | None = evidence.get("reproducer")
            if found is not None:
                return found
    return None


def _file(reports: Sequence[Mapping[str, Any]]) -> str:
    imports: dict[str, None] = {}
    groups: dict[str, list[str]] = {"HOSTILE": [], "SILENT": []}
    for report in reports:
        found = _made_up(report)
        assert found is not None
        imports.update(dict.fromkeys(found["imports"]))
        calls = found["calls"]
        call = calls[0] if len(calls) == 1 else f"[{', '.join(calls)}]"
        raises = report["hazard"] is not None and report["hazard"]["kind"] == "raises"
        tag = f"{report['code']} at row {report['location']['row']}"
        groups["HOSTILE" if raises else "SILENT"].append(f"    {tag!r}: lambda: {call},\n")
    text = _HEAD + "\n" + "".join(f"{line}\n" for line in sorted(imports))
    for name, lines in groups.items():
        if lines:
            text += f"\n{name} = {{\n{''.join(lines)}}}\n"
    return text

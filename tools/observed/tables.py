"""Whether the stored tables say what the installed libraries do."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from jitlint.jaxmodel import frameworks, functions
from tools.observed.kept import Kind, Subject, digest, files_of
from tools.probes.documents import differences, other_versions, read

AGREES = "agrees"
#: where each is measured: a module, imported late as it imports what it measures, and its function
_MEASURES = {
    functions.DATA_FILE: ("tools.probes.function_table", "functions_document"),
    frameworks.FACTS_FILE: ("tools.probes.framework_tables", "facts_document"),
    frameworks.TRANSFORMS_FILE: ("tools.probes.framework_tables", "transforms_document"),
}


def subject(table: Path) -> Subject[Path]:
    """A table.

    Args:
      table: its file.
    """
    probes = Path(__file__).resolve().parents[1] / "probes"
    return Subject(table.stem, digest([table, *files_of(probes)]), table)


def subjects() -> list[Subject[Path]]:
    """All tables."""
    return [subject(table) for table in _MEASURES]


def _run(tables: Sequence[Path]) -> list[str]:
    return [_outcome(table) for table in tables]


def _outcome(table: Path) -> str:
    module, name = _MEASURES[table]
    stored = read(table)
    measured = getattr(importlib.import_module(module), name)(stored)
    found = differences(stored, measured)
    return "\n".join([*other_versions(stored, measured), *found]) if found else AGREES


TABLES: Kind[Path] = Kind("tables", _run, frozenset({AGREES}))

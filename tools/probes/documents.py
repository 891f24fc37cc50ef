"""The documents that hold the tables: how they are written, and in what two of them differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Document = Mapping[str, Any]

#: Sections that say with what a document was made.
_VERSIONS = frozenset({"meta", "versions"})
#: Sections with rows of Python's own functions.
_PYTHONS_TOO = frozenset({"aliases", "constants", "functions"})


def read(path: Path) -> dict[str, Any]:
    """Read a document, an empty one where there is none."""
    if not path.exists():
        return {}
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


def rendered(document: Document) -> str:
    """Write a document with one line a row, sorted by name, so that differences can be read."""
    sections = []
    for title, content in document.items():
        if isinstance(content, list):
            lines = ",\n".join(json.dumps(item) for item in content)
            sections.append(f'"{title}": [\n{lines}\n]')
        else:
            lines = ",\n".join(
                f"{json.dumps(key)}: {json.dumps(content[key], sort_keys=True)}"
                for key in sorted(content)
            )
            sections.append(f'"{title}": {{\n{lines}\n}}')
    return "{\n" + ",\n".join(sections) + "\n}\n"


def merged(stored: Document, measured: Document, only: str) -> dict[str, Any]:
    """The measured rows whose names start so, and the stored ones of all other names."""
    if not only:
        return dict(measured)
    return {
        title: {
            **{key: row for key, row in stored.get(title, {}).items() if not key.startswith(only)},
            **{key: row for key, row in content.items() if key.startswith(only)},
        }
        if isinstance(content, dict) and title not in _VERSIONS
        else stored.get(title, content)
        for title, content in measured.items()
    }


def differences(stored: Document, measured: Document) -> list[str]:
    """List the rows in which two documents differ, one line each.

    Builtins and the standard library count only when both were made under the same Python: their
    functions and signatures change with it.
    """
    lines: list[str] = []
    same_python = _python(stored) == _python(measured)
    for title in sorted({*stored, *measured} - _VERSIONS):
        old, new = _rows(stored, title), _rows(measured, title)
        for key in sorted({*old, *new}):
            if title in _PYTHONS_TOO and not same_python and _is_pythons_own(key):
                continue
            if key not in new:
                was = "" if old[key] is None else f" (was {json.dumps(old[key], sort_keys=True)})"
                lines.append(f"{title}: {key}: gone{was}")
            elif key not in old:
                row = "" if new[key] is None else f" {json.dumps(new[key], sort_keys=True)}"
                lines.append(f"{title}: {key}: new{row}")
            elif old[key] != new[key]:
                lines.append(f"{title}: {key}: {_changes(old[key], new[key])}")
    return lines


def other_versions(stored: Document, measured: Document) -> list[str]:
    """List the libraries whose version differs from that with which a document was made."""
    return [
        f"the table was made with {name} {_versions(stored).get(name)}, installed is {version}"
        for name, version in _versions(measured).items()
        if _versions(stored).get(name) != version
    ]


def _versions(document: Document) -> Mapping[str, str]:
    found: Mapping[str, str] = next((document[t] for t in _VERSIONS if t in document), {})
    return found


def _python(document: Document) -> str | None:
    return _versions(document).get("python")


def _rows(document: Document, title: str) -> Mapping[str, Any]:
    """A section by name; what is only listed has no rows."""
    section = document.get(title, {})
    return section if isinstance(section, dict) else dict.fromkeys(section)


def _is_pythons_own(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] not in {"jax", "numpy", "scipy"}


def _changes(old: Any, new: Any) -> str:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return f"{old!r} -> {new!r}"
    return "; ".join(
        f"{key}: {old.get(key)!r} -> {new.get(key)!r}"
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    )

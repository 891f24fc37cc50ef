"""``--baseline FILE``: the reports of an old code base, set aside until they are dealt with.

The file holds the fingerprints of what was reported when ``--write-baseline`` wrote it.  A run
hides those, shows what is new, and takes out what is gone, so that it only ever shrinks.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from jitlint.diagnostics import Diagnostic
from jitlint.rules.codes import INTERNAL_ERROR, UNFINISHED
from jitlint.source.file_names import portable_name
from jitlint.usage_errors import UsageError

if TYPE_CHECKING:
    from jitlint.run.execution import Run

_VERSION = 1

#: file, code, fingerprint
Key = tuple[str, str, str]


class Entry(Struct, frozen=True):
    """One report that is set aside.

    Args:
      filename: relative to the project root where it lies below it.
      code: of the rule.
      fingerprint: of the report.
      function: where it was, for people who read the file.
    """

    filename: str
    code: str
    fingerprint: str
    function: str | None = None

    @property
    def key(self) -> Key:
        """What tells it from others."""
        return self.filename, self.code, self.fingerprint


@dataclass(frozen=True)
class Comparison:
    """What came of comparing a run with a baseline.

    Args:
      new: the reports that the baseline does not hold.
      kept: the entries that stay.
      gone: how many entries have no report any more.
    """

    new: Sequence[Diagnostic]
    kept: Sequence[Entry]
    gone: int


def read(path: Path) -> list[Entry]:
    """The entries of a baseline.

    Args:
      path: the file.

    Raises:
      UsageError: there is no such file, it cannot be read, or is no baseline.
    """
    try:
        return _entries(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise UsageError(
            f"--baseline: no such file: {path} (expected one that --write-baseline wrote)"
        ) from None
    except OSError as error:
        raise UsageError(f"--baseline: cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--baseline: {path} is no baseline: {error}") from None


def _entries(data: Any) -> list[Entry]:
    if not isinstance(data, dict) or not isinstance(data.get("reports"), dict):
        raise ValueError("expected an object with 'version' and 'reports'")
    if data.get("version") != _VERSION:
        raise ValueError(f"version {data.get('version')!r}, expected {_VERSION}")
    found = []
    for filename, reports in data["reports"].items():
        for report in reports if isinstance(reports, list) else [None]:
            values = report if isinstance(report, dict) else {}
            code, fingerprint = values.get("code"), values.get("fingerprint")
            function = values.get("function")
            if not isinstance(code, str) or not isinstance(fingerprint, str):
                raise ValueError(f"{filename}: expected objects with 'code' and 'fingerprint'")
            shown = function if isinstance(function, str) else None
            found.append(Entry(filename, code, fingerprint, shown))
    return found


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Write a baseline, all of it or nothing.

    Args:
      path: the file.
      entries: what is set aside.

    Raises:
      UsageError: it cannot be written.
    """
    reports: dict[str, list[Mapping[str, Any]]] = {}
    # By name, not by row: a file that changes elsewhere gives the same baseline.
    for entry in sorted(entries, key=lambda e: (*e.key[:2], e.function or "", e.fingerprint)):
        reports.setdefault(entry.filename, []).append(
            {"code": entry.code, "function": entry.function, "fingerprint": entry.fingerprint}
        )
    text = json.dumps({"version": _VERSION, "reports": reports}, indent=1) + "\n"
    # A link stays one: what it points to is replaced.
    real = Path(os.path.realpath(path))
    try:
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).chmod(real.stat().st_mode & 0o777 if real.exists() else 0o644)
            Path(name).replace(real)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise UsageError(f"--baseline: cannot write {path}: {error.strerror}") from None


def entries_of(reports: Iterable[Diagnostic], root: Path) -> list[Entry]:
    """The entries that set these reports aside.

    Args:
      reports: the reports; internal errors are never set aside.
      root: the project root.
    """
    return [_entry(item, root) for item in reports if item.code != INTERNAL_ERROR]


def compare(
    entries: Sequence[Entry],
    shown: Sequence[Diagnostic],
    run: Run,
    enabled: Callable[[Path], Collection[str]],
) -> Comparison:
    """Compare a run with a baseline.

    Args:
      entries: of the baseline.
      shown: the reports that would be shown.
      run: what they came from.
      enabled: the codes that the run looked for in a file.

    Returns:
      What is new, and which entries stay: those whose report is still found, and those that this
      run cannot judge because their file was not linted (but is there) or their rule is off.
    """
    root = run.root
    left = Counter(entry.key for entry in entries)
    new = []
    for item in shown:
        key = _entry(item, root).key
        if item.code != INTERNAL_ERROR and left[key]:
            left[key] -= 1
        else:
            new.append(item)
    everything = [*run.diagnostics, *shown]
    present = {_entry(item, root).key for item in everything}
    unfinished = {
        portable_name(item.filename, root) for item in everything if item.code in UNFINISHED
    }
    judged = {portable_name(str(path), root) for path in run.targets} - unfinished
    kept = [
        entry
        for entry in entries
        if entry.key in present
        or entry.code not in enabled(root / entry.filename)
        or (entry.filename not in judged and os.path.lexists(root / entry.filename))
    ]
    return Comparison(new, kept, len(entries) - len(kept))


def _entry(item: Diagnostic, root: Path) -> Entry:
    name = portable_name(item.filename, root)
    return Entry(name, item.code, item.fingerprint, item.function)

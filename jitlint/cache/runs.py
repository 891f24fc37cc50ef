"""Whole runs: what came of a request, for as long as nothing that it read has changed.

This is all that a run over an unchanged project needs, so nothing heavy is imported here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from jitlint.cache.folder import CacheFolder, digest
from jitlint.cache.stamps import Witness, unchanged
from jitlint.diagnostics import Diagnostic

_KIND = "run"

#: lists the targets, and everything that an analysis reads
Look = Callable[[Witness], tuple[Sequence[Path], Sequence[Path]]]


class _RunRecord(Struct):
    """A result, and what it rests on; files by their paths as texts."""

    stamps: dict[str, list[Any]]
    targets: list[str]
    diagnostics: list[Diagnostic]
    commented: list[str]


@dataclass(frozen=True)
class RunResult:
    """What came of a request.

    Args:
      targets: the files to report on.
      diagnostics: everything found in them.
      commented: those with a comment that jitlint judges.
    """

    targets: Sequence[Path]
    diagnostics: Sequence[Diagnostic]
    commented: Sequence[Path]


class RunCache:
    """The results of one request.

    Args:
      folder: where they are kept.
      request: everything that decides what is read, and how, as JSON can say it.
    """

    def __init__(self, folder: CacheFolder, request: Any) -> None:
        self._folder = folder
        self._key = digest(json.dumps(request, sort_keys=True))

    def find(self, look: Look) -> RunResult | None:
        """The result of the same request, if it would be the same today.

        Args:
          look: lists the targets and the files of the project anew; called where names may have
            changed.

        Returns:
          The result, None where there is none.
        """
        data = self._folder.read(_KIND, self._key)
        if data is None:
            return None
        try:
            record = msgspec.msgpack.decode(data, type=_RunRecord)
            stamps = record.stamps
            before = json.dumps(stamps)
            same = unchanged(stamps)
            if same is None:
                same = _looked(record, look) and unchanged(stamps, files_only=True)
            if not same:
                return None
            result = RunResult(
                [Path(name) for name in record.targets],
                record.diagnostics,
                [Path(name) for name in record.commented],
            )
            if json.dumps(stamps) != before:
                self._folder.write(_KIND, self._key, msgspec.msgpack.encode(record))
        except (msgspec.DecodeError, ValueError, TypeError, LookupError, RecursionError):
            return None
        return result

    def keep(self, result: RunResult, witness: Witness) -> None:
        """Remember a result.

        Args:
          result: what came of the request.
          witness: knows what was read for it.
        """
        record = _RunRecord(
            witness.stamps(),
            [str(path) for path in result.targets],
            list(result.diagnostics),
            [str(path) for path in result.commented],
        )
        self._folder.write(_KIND, self._key, msgspec.msgpack.encode(record))


def _looked(record: _RunRecord, look: Look) -> bool:
    """Whether the names are what they were; the times of folders are brought up to date."""
    witness = Witness()
    targets, files = look(witness)
    stamps = record.stamps
    known = {os.path.join(folder, name) for folder, (_, inner) in stamps.items() for name in inner}  # noqa: PTH118
    if [str(path) for path in targets] != record.targets or {str(f) for f in files} != known:
        return False
    folders = witness.stamps()
    for folder, entry in stamps.items():
        entry[0] = folders[folder][0] if folder in folders else None
    for folder, entry in folders.items():
        stamps.setdefault(folder, entry)
    return True

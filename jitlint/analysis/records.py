"""What earlier runs found out of the parts of a project.

A record holds only for as long as everything that it rests on is what it was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.analysis.agenda import Identity, Progress
from jitlint.analysis.jit_uses import SharedUses
from jitlint.analysis.places import Name
from jitlint.analysis.reports import Report


@dataclass(frozen=True, slots=True)
class Segment:
    """What came of one thing that was asked of a part.

    Args:
      asked: transformed functions to be traced; none at first.
      progress: what the other parts need to know after that.
      reports: what was found.
      turn: when it was asked, in this run.
    """

    asked: tuple[Identity, ...]
    progress: Progress
    reports: tuple[Report, ...]
    turn: int = 0


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A part as a whole.

    Args:
      modules: the modules that were read, each with a name for what was taken from it.
      lookups: modules that were looked for, by the asking folder and the name, and what was found.
      words: words that all modules were searched for, and the files that hold them.
      segments: what came of all that was asked.
      uses: what was seen of jitted functions.
      verdicts: reports on what is made again and again, by the place and what is wrong there.
      unsupported: places of syntax that libcst refuses, with what it says.
    """

    modules: Mapping[Path, str]
    lookups: Mapping[tuple[Path | None, str], Path | None]
    words: Mapping[str, tuple[Path, ...]]
    segments: tuple[Segment, ...]
    uses: SharedUses
    verdicts: Mapping[tuple[Name, Verdict], tuple[Report, ...]]
    unsupported: Mapping[tuple[Path, int], str]


class PartStore(Protocol):
    """What is known of the parts of one project.

    Attributes:
      interpreted: the files whose functions were interpreted.
    """

    interpreted: list[Path]

    def find(self, path: Path) -> PartRecord | None:
        """What is known of a file, whether or not it still holds."""

    def keep(self, path: Path, record: PartRecord) -> None:
        """Remember what came of a file."""


class PartMemory:
    """Parts that one process remembers from one analysis to the next."""

    def __init__(self) -> None:
        self.interpreted: list[Path] = []
        self._records: dict[Path, PartRecord] = {}

    def find(self, path: Path) -> PartRecord | None:
        """What is known of a file, whether or not it still holds."""
        return self._records.get(path)

    def keep(self, path: Path, record: PartRecord) -> None:
        """Remember what came of a file."""
        self._records[path] = record

    def begin(self, paths: Collection[Path]) -> None:
        """An analysis of these files begins: all others are forgotten."""
        for path in self._records.keys() - set(paths):
            del self._records[path]
        self.interpreted.clear()

"""What a whole analysis has read: its parts, and the code of modules."""

from __future__ import annotations

from collections.abc import Iterable

from jitlint.analysis.parts.part import ModulePart
from jitlint.analysis.results import PartResult
from jitlint.recall.readings import Fingerprints, RunReadings


def add_readings(
    read: RunReadings,
    parts: Iterable[PartResult],
    code: Iterable[ModulePart],
    fingerprints: Fingerprints,
) -> None:
    """Add what parts and code of modules have read.

    Args:
      read: is added to.
      parts: all of them, in this run or an earlier one.
      code: the code of modules, as often as it was run.
      fingerprints: of what the index says.
    """
    for part in parts:
        known = part.known or part.state.reads
        read.add(known.readings, (word for _, word in known.words))
    for modules in dict.fromkeys(code):
        for sink in modules.reads.sinks.values():
            read.add(fingerprints.of(sink))
        for words in modules.reads.words.values():
            read.add({}, words)

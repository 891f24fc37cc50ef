"""What a whole analysis has read: its parts, and the code of modules."""

from __future__ import annotations

from collections.abc import Iterable

from jitlint.analysis.parts.part import ModulePart
from jitlint.analysis.parts.stored_parts import StoredParts
from jitlint.analysis.results import PartResult
from jitlint.project.reading import REMARKS
from jitlint.recall.readings import Fingerprints, RunReadings, path_of


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


def remarked_by(code: Iterable[ModulePart], store: StoredParts | None) -> frozenset[str]:
    """The files of which comments were looked at.

    Args:
      code: the code of modules, as often as it was run.
      store: knows that of parts.
    """
    found = set() if store is None else set(store.remarked)
    for modules in dict.fromkeys(code):
        for sink in modules.reads.sinks.values():
            asked = (subject for subject, question, *_ in sink if question == REMARKS)
            found.update(str(path_of(subject)) for subject in asked)
    return frozenset(found)

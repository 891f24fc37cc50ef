"""Readings as a record keeps them, and whether a file still answers them alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path

from msgspec import Struct

from jitlint.cache.folder import digest
from jitlint.project.project import Project
from jitlint.project.reading import REMARKS
from jitlint.recall.readings import CHOSEN, Fingerprints, Question, RunReadings

#: what was asked of a file, with fingerprints of the answers
Asked = dict[Question, str]


class KeptReadings(Struct, frozen=True):
    """What a computation has read of a project; files by their paths as texts.

    Args:
      readings: by file, what was asked of it, with fingerprints of the answers.
      bodies: by file, fingerprints of the code of the units and classes that were asked anything.
      indexed: the files that were parsed.
      words: those that files were searched for.
      held: by file, a digest of those of the words that it holds.
    """

    readings: dict[str, dict[Question, str]]
    bodies: dict[str, dict[Question, str]]
    indexed: frozenset[str]
    words: list[str]
    held: dict[str, str]

    def is_remarked(self, path: str) -> bool:
        """Whether comments of a file were looked at."""
        return any(question == REMARKS for _, _, _, question, *_ in self.readings.get(path, ()))


class Answers:
    """Asks a project again what was asked of it.

    Args:
      project: the project as it is now.
      earlier: what was kept of an earlier run.
      is_same: whether a file is what it was in that run.
    """

    def __init__(
        self, project: Project, earlier: Iterable[KeptReadings], is_same: Callable[[str], bool]
    ) -> None:
        def of_same(kept: Iterable[Mapping[str, dict[Question, str]]]) -> dict[str, Asked]:
            found: dict[str, Asked] = {}
            for path, answers in chain.from_iterable(each.items() for each in kept):
                if is_same(path):
                    found[path] = {**found.get(path, {}), **answers}
            return found

        earlier = tuple(earlier)
        self._project = project
        self._bodies = of_same(each.bodies for each in earlier)
        known = of_same(each.readings for each in earlier)
        self.fingerprints = Fingerprints(project, lambda _: False, known)

    def holds(self, path: str, kept: KeptReadings) -> bool:
        """Whether all that was asked of a file is answered as it was."""
        if path in kept.indexed and self._project.module_at(Path(path)) is None:
            return False
        if kept.held.get(path) != self._held(path, kept.words):
            return False
        answer, bodies = self.fingerprints.answer, kept.bodies.get(path, {})
        #: what says what it said; the rules of the interpreter's rooms are slow to import
        same = {body[:3] for body, said in bodies.items() if answer(path, body) == said}
        return all(
            asked[:3] in same or answer(path, asked) == said
            for asked, said in kept.readings.get(path, {}).items()
        )

    def keep(self, read: RunReadings, files: Iterable[Path]) -> KeptReadings:
        """What was read, as a record keeps it.

        Args:
          read: what was read.
          files: all that may have been searched for words.
        """
        # What is selected follows from the rest.
        readings = {
            path: {asked: said for asked, said in answers.items() if asked[3] != CHOSEN}
            for path, answers in read.readings.items()
        }
        words = sorted(read.words)
        held = ((str(path), self._held(str(path), words)) for path in files)
        return KeptReadings(
            readings,
            {path: self._bodies_of(path, answers) for path, answers in readings.items()},
            frozenset(map(str, self._project.indexed)),
            words,
            {path: said for path, said in held if said is not None},
        )

    def _held(self, path: str, words: Iterable[str]) -> str | None:
        """A digest of those of some words that a file holds; None if nobody can read it."""
        text = self._project.file_text(Path(path))
        return None if text is None else digest(*sorted(text.words.intersection(words)))

    def _bodies_of(self, path: str, answers: Iterable[Question]) -> dict[Question, str]:
        """Fingerprints of the code of what something was asked of, in one file."""
        known, answer = self._bodies.get(path, {}), self.fingerprints.answer
        asked = {(*each[:3], "body") for each in answers if each[0] in ("unit", "class")}
        return {body: known.get(body) or answer(path, body) for body in asked}

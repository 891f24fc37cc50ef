"""What was read of a project, as it is kept: by file questions, with fingerprints of answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from jitlint.project.file_texts import FileText
from jitlint.project.index import ModuleIndex
from jitlint.project.project import Project
from jitlint.project.reading import REMARKS, Reading, Sink, Subject, fingerprint
from jitlint.project.units import ClassDefinition, Unit

#: what was asked: the subject's key, the question, and what else was asked for
Question = tuple[str, ...]
#: by file, what was asked of it, each with a fingerprint of the answer
Readings = dict[str, dict[Question, str]]
#: the question whether a unit is one of those that are selected; the index does not answer it
CHOSEN: Final = "chosen"
_TEXT: Final = "text"
_CALLED: Final = ("module", "", "0", "called")
#: the file, what was asked of it, a fingerprint of the answer, and one of what the module is called
_Entry = tuple[str, Question, str, str | None]


class RunReadings(Struct):
    """What a whole run has read.

    Args:
      readings: by file, what was asked of it, with fingerprints of the answers.
      words: those that files were searched for.
    """

    readings: dict[str, dict[Question, str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)

    def add(
        self, readings: Mapping[str, Mapping[Question, str]], words: Iterable[str] = ()
    ) -> None:
        """Add what a piece of it has read."""
        for path, answers in readings.items():
            self.readings.setdefault(path, {}).update(answers)
        self.words.update(words)


class Fingerprints:
    """Answers to what was asked of a project, as fingerprints.

    Args:
      project: the project.
      chosen: whether a unit is selected.
      earlier: answers of an earlier run, by file, for the files that are what they were.
    """

    def __init__(
        self,
        project: Project,
        chosen: Callable[[object], bool],
        earlier: Mapping[str, Mapping[Question, str]] | None = None,
    ) -> None:
        self._project = project
        self._chosen = chosen
        self._earlier = earlier or {}
        self._answers: dict[tuple[str, Question], str] = {}
        self._entries: dict[Reading, _Entry] = {}

    def of(self, sink: Sink) -> Readings:
        """What was read, by file."""
        found: Readings = {}
        # Many parts read the same, by the ten thousand.
        entries = self._entries
        for reading in sink:
            entry = entries.get(reading)
            if entry is None:
                entry = entries[reading] = self._entry(*reading)
            path, asked, said, called = entry
            answers = found.get(path)
            if answers is None:
                answers = found[path] = {}
            answers[asked] = said
            if called is not None:
                answers[_CALLED] = called
        return found

    def _entry(self, subject: Subject, question: str, *details: str) -> _Entry:
        """A reading as it is kept."""
        listed = subject.stands_for
        kind, qualname, number = listed.key
        path = str(path_of(listed))
        if listed is not subject:
            # Whatever was asked of it, all of its code was looked at, if not the comments.
            question, details = REMARKS if question == REMARKS else "body", ()
        asked = (kind, qualname, str(number), question, *details)
        said = self._earlier.get(path, {}).get(asked) or self._answer(listed, question, details)
        # Whatever is asked of a module, what it is called may be part of what is said.
        called = None if kind == _TEXT else self._answer(module_of(listed), "called", ())
        return path, asked, said, called

    def answer(self, path: str, asked: Question) -> str:
        """The answer to what was asked of a file; empty where nothing of it can be asked now."""
        known = self._answers.get((path, asked))
        if known is None:
            kind, qualname, number, question, *details = asked
            subject: Subject | None
            if kind == _TEXT:
                subject = self._project.file_text(Path(path))
            else:
                module = self._project.module_at(Path(path))
                subject = (
                    None if module is None else module.subjects.get((kind, qualname, int(number)))
                )
            known = "" if subject is None else self._answer(subject, question, tuple(details))
            self._answers[path, asked] = known
        return known

    def _answer(self, subject: Subject, question: str, details: tuple[str, ...]) -> str:
        if question == CHOSEN:
            return fingerprint(self._chosen(subject))
        return subject.answered(question, details)


def module_of(subject: Subject) -> ModuleIndex:
    """The module that a subject is part of."""
    assert isinstance(subject, (ModuleIndex, ClassDefinition, Unit))
    return subject if isinstance(subject, ModuleIndex) else subject.module


def path_of(subject: Subject) -> Path:
    """The file of a subject."""
    return subject.path if isinstance(subject, FileText) else module_of(subject).path

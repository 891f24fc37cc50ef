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
_Place = tuple[Subject, Question, dict[Question, str], Mapping[Question, str]]


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
        self._known: dict[Reading, str] = {}
        self._answers: dict[tuple[str, Question], str] = {}

    def of(self, sink: Sink) -> Readings:
        """What was read, by file."""
        found: Readings = {}
        #: by subject, what stands for it, its key, and the answers of its file: now, and before
        places: dict[Subject, _Place] = {}
        for subject, question, *details in sink:
            place = places.get(subject)
            if place is None:
                place = places[subject] = self._place(subject, found)
            listed, key, answers, earlier = place
            if listed is not subject:
                # Whatever was asked of it, all of its code was looked at, if not the comments.
                question, details = REMARKS if question == REMARKS else "body", []
            asked = (*key, question, *details)
            answers[asked] = earlier.get(asked) or self._answer(listed, question, details)
        return found

    def _place(self, subject: Subject, found: Readings) -> _Place:
        listed = subject.stands_for
        kind, qualname, number = listed.key
        path = str(path_of(listed))
        answers = found.setdefault(path, {})
        if kind != _TEXT and _CALLED not in answers:
            # Whatever is asked of a module, what it is called may be part of what is said.
            answers[_CALLED] = self._answer(module_of(listed), "called", [])
        return listed, (kind, qualname, str(number)), answers, self._earlier.get(path, {})

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
            known = "" if subject is None else self._answer(subject, question, details)
            self._answers[path, asked] = known
        return known

    def _answer(self, subject: Subject, question: str, details: list[str]) -> str:
        key = (subject, question, *details)
        known = self._known.get(key)
        if known is None:
            if question == CHOSEN:
                answer: object = self._chosen(subject)
            else:
                answer = subject.answer(question, tuple(details))
            known = self._known[key] = fingerprint(answer)
        return known


def module_of(subject: Subject) -> ModuleIndex:
    """The module that a subject is part of."""
    assert isinstance(subject, (ModuleIndex, ClassDefinition, Unit))
    return subject if isinstance(subject, ModuleIndex) else subject.module


def path_of(subject: Subject) -> Path:
    """The file of a subject."""
    return subject.path if isinstance(subject, FileText) else module_of(subject).path

"""What is read of a project while something is computed that is kept.

What the index tells of a module, class or unit cannot be had without saying so: each answer goes
into the *sink* that is open, as the subject, the question, and what else was asked for.  Whoever
keeps what it computed keeps these *readings* with it, each with a fingerprint of the answer, and
may use it again for as long as all of them would be answered alike: an answer that comes out equal
ends the wave, however its file was edited.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from typing import Any, Final, Generic, TypeVar, overload

from msgspec import Struct

from jitlint.foundation.digests import blake2b
from jitlint.foundation.interruption import checkpoint

_Subject = TypeVar("_Subject", bound="Subject")
_Fact = TypeVar("_Fact")

#: asks for the text of a subject with its comments
REMARKS: Final = "whole_source"
#: a subject, what was asked of it, and the arguments of the question
Reading = tuple[Any, ...]
#: where readings go
Sink = set[Reading]

#: those that are open now, the innermost last; None stands for nobody who wants to know
_open: list[Sink | None] = [None]


def sink() -> Sink | None:
    """Where readings go now."""
    return _open[-1]


@contextmanager
def into(target: Sink | None) -> Iterator[None]:
    """Have readings go into a sink, or nowhere, for a while."""
    _open.append(target)
    try:
        yield
    finally:
        _open.pop()


def note(subject: Subject, question: str, *details: str) -> None:
    """Say that something was asked of a subject."""
    target = _open[-1]
    if target is not None:
        target.add((subject, question, *details))


class Subject:
    """What the index tells something of: a module, a class, a unit.

    Attributes:
      _facts: answers that are known.
    """

    _facts: dict[Any, Any]

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from others of its file: its kind, its qualified name, its number."""
        raise NotImplementedError

    @property
    def form(self) -> object:
        """What an answer that names the subject says of it."""
        return self.key

    @property
    def stands_for(self) -> Subject:
        """What is listed in its place, of which all code was looked at where this one was asked."""
        return self

    @property
    def code(self) -> str:
        """Its text without comments; who asks for all of it notes that."""
        raise NotImplementedError

    def finds(self, pattern: str | re.Pattern[str], flags: str = "0") -> bool:
        """Whether a regular expression is found in the code of the subject."""
        written, chosen = written_pattern(pattern, flags)
        note(self, "finds", written, chosen)
        known: bool | None = self._facts.get(("finds", written, chosen))
        if known is None:
            found = re.search(written, self.code, int(chosen))
            known = self._facts["finds", written, chosen] = found is not None
        return known

    def all_found(self, pattern: str | re.Pattern[str], flags: str = "0") -> list[Any]:
        """All that a regular expression finds in the code of the subject."""
        written, chosen = written_pattern(pattern, flags)
        note(self, "all_found", written, chosen)
        return re.findall(written, self.code, int(chosen))

    def fact(self, rule: Callable[..., _Fact], *details: str) -> _Fact:
        """What the text of the subject says by itself, asked once.

        Args:
          rule: a function of a module that says it, out of nothing else; its answer is one of those
            that :func:`canonical` knows.
          details: what else the rule takes.
        """
        target = _open[-1]
        if target is not None:
            target.add((self, f"{rule.__module__}:{rule.__qualname__}", *details))
        known = self._facts.get((rule, details))
        if known is None:
            checkpoint()
            with into(None):
                known = self._facts[rule, details] = (rule(self, *details),)
        answer: _Fact = known[0]
        return answer

    def answer(self, question: str, details: tuple[str, ...]) -> object:
        """What is answered to a question that was noted, without noting it again."""
        with into(None):
            if ":" in question:
                return self.fact(_rule(question), *details)
            found = getattr(self, question)
            return found(*details) if callable(found) else found

    def answered(self, question: str, details: tuple[str, ...]) -> str:
        """A fingerprint of what is answered to a question that was noted, made once."""
        key = "fingerprint", question, details
        known: str | None = self._facts.get(key)
        if known is None:
            known = self._facts[key] = fingerprint(self.answer(question, details))
        return known


def written_pattern(pattern: str | re.Pattern[str], flags: str) -> tuple[str, str]:
    """A regular expression as a question holds it."""
    if isinstance(pattern, str):
        return pattern, flags
    return pattern.pattern, str(int(pattern.flags & ~re.UNICODE))


class Memo:
    """Answers that are kept, each with what was read for it: whoever asks again reads that, too."""

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, Sink]] = {}

    def ask(self, question: Any, find: Callable[[], _Fact]) -> _Fact:
        """The answer to a question.

        Args:
          question: names it; what it names lives as long as the memo.
          find: finds the answer, the first time.
        """
        known = self._known.get(question)
        if known is None:
            readings: Sink = set()
            with into(readings):
                known = self._known[question] = find(), readings
        target = _open[-1]
        if target is not None and known[1]:
            target |= known[1]
        found: _Fact = known[0]
        return found


class told(Generic[_Fact]):  # noqa: N801 - a decorator, as ``cached_property`` is one
    """A property of a subject that is computed once, and noted each time it is asked for.

    Args:
      find: computes it.
    """

    def __init__(self, find: Callable[[Any], _Fact]) -> None:
        self._find: Callable[[Any], _Fact] = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, subject: None, owner: object) -> told[_Fact]: ...

    @overload
    def __get__(self, subject: Subject, owner: object) -> _Fact: ...

    def __get__(self, subject: Subject | None, owner: object) -> told[_Fact] | _Fact:
        if subject is None:
            return self
        target = _open[-1]
        if target is not None:
            target.add((subject, self._name))
        known = subject._facts.get(self._name)
        if known is None:
            checkpoint()
            with into(None):
                known = subject._facts[self._name] = (self._find(subject),)
        answer: _Fact = known[0]
        return answer


def _rule(name: str) -> Callable[[Any], Any]:
    """The rule of a name that a record holds.

    Raises:
      ValueError: it is none of ours.
    """
    module, _, qualname = name.partition(":")
    if module.partition(".")[0] != "jitlint" or "." in qualname:
        raise ValueError(f"{name!r} is no rule of jitlint's")
    found: Callable[[Any], Any] = getattr(import_module(module), qualname)
    return found


def fingerprint(answer: object) -> str:
    """A short name for an answer that no other answer has."""
    checkpoint()
    return blake2b(
        repr(canonical(answer)).encode("utf-8", "surrogatepass"), digest_size=12
    ).hexdigest()


_PLAIN: Final = (str, int, float, complex, bytes, type(None), type(...))


def canonical(answer: object) -> object:
    """An answer as plain data, the same for equal ones.

    Subjects stand for no more than themselves: what is asked of them is a reading of its own.
    Where something stands in its file is no part of an answer.

    Raises:
      TypeError: nothing is known of such answers.
    """
    if isinstance(answer, _PLAIN):
        return answer
    if isinstance(answer, Enum):
        return answer.name
    if isinstance(answer, ast.AST):
        return ast.dump(answer)
    if isinstance(answer, Subject):
        return answer.form
    if isinstance(answer, (tuple, list)):
        return [canonical(each) for each in answer]
    if isinstance(answer, (set, frozenset)):
        return ["set", *sorted((canonical(each) for each in answer), key=repr)]
    if isinstance(answer, dict):
        return ["dict", *((canonical(key), canonical(value)) for key, value in answer.items())]
    if isinstance(answer, Struct):
        return [canonical(getattr(answer, name)) for name in answer.__struct_fields__]
    if is_dataclass(answer):
        return [canonical(getattr(answer, each.name)) for each in fields(answer)]
    if isinstance(answer, type):
        return f"{answer.__module__}.{answer.__qualname__}"
    raise TypeError(f"no canonical form of a {type(answer).__name__}")

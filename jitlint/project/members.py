"""What a class lists by name: whoever asks for one of it rests on that one alone."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import Any, TypeVar, overload

from jitlint.project.reading import Subject, note

_Member = TypeVar("_Member")
_Other = TypeVar("_Other")


class Members(Mapping[str, _Member]):
    """Members of a class by name; whoever asks for one rests on that, and on no other.

    Args:
      owner: the class.
      one: the question for one of them, by name.
      every: the question for all of them.
      listed: the members.
    """

    def __init__(self, owner: Subject, one: str, every: str, listed: dict[str, _Member]) -> None:
        self._owner = owner
        self._one = one
        self._every = every
        self._listed = listed

    def _note(self, name: str) -> None:
        note_member(self._owner, self._one, name)

    def __getitem__(self, name: str) -> _Member:
        self._note(name)
        return self._listed[name]

    def __contains__(self, name: object) -> bool:
        self._note(str(name))
        return name in self._listed

    @overload
    def get(self, name: str, default: None = None) -> _Member | None: ...

    @overload
    def get(self, name: str, default: _Member | _Other) -> _Member | _Other: ...

    def get(self, name: str, default: Any = None) -> Any:
        """The member of a name."""
        self._note(name)
        return self._listed.get(name, default)

    def __iter__(self) -> Iterator[str]:
        note(self._owner, self._every)
        return iter(self._listed)

    def __len__(self) -> int:
        note(self._owner, self._every)
        return len(self._listed)

    def items(self) -> ItemsView[str, _Member]:
        """All names, each with its member."""
        note(self._owner, self._every)
        return self._listed.items()

    def values(self) -> ValuesView[_Member]:
        """All members."""
        note(self._owner, self._every)
        return self._listed.values()


def note_member(owner: Subject, question: str, name: str) -> None:
    """Say that a class was asked for one of its members.

    Of each class that Python's own hooks are asked for, it is asked for many of them: whoever asks
    for one rests on all members that have such names, which costs one reading and not twenty.
    """
    if name[:2] == "__":
        note(owner, f"special_{question}")
    else:
        note(owner, question, name)

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
      question: what asks the class for one of them; ``every_`` and this asks for all.
      listed: the members.
    """

    def __init__(self, owner: Subject, question: str, listed: dict[str, _Member]) -> None:
        self._owner = owner
        self._question = question
        self._listed = listed

    def __getitem__(self, name: str) -> _Member:
        note(self._owner, self._question, name)
        return self._listed[name]

    def __contains__(self, name: object) -> bool:
        note(self._owner, self._question, str(name))
        return name in self._listed

    @overload
    def get(self, name: str, default: None = None) -> _Member | None: ...

    @overload
    def get(self, name: str, default: _Member | _Other) -> _Member | _Other: ...

    def get(self, name: str, default: Any = None) -> Any:
        """The member of a name."""
        note(self._owner, self._question, name)
        return self._listed.get(name, default)

    def __iter__(self) -> Iterator[str]:
        note(self._owner, f"every_{self._question}")
        return iter(self._listed)

    def __len__(self) -> int:
        note(self._owner, f"every_{self._question}")
        return len(self._listed)

    def items(self) -> ItemsView[str, _Member]:
        """All names, each with its member."""
        note(self._owner, f"every_{self._question}")
        return self._listed.items()

    def values(self) -> ValuesView[_Member]:
        """All members."""
        note(self._owner, f"every_{self._question}")
        return self._listed.values()

"""What the parts of an analysis tell each other, and who traces what nobody calls.

Which transformed functions are traced by themselves depends on the calls that parts saw: the agenda
hands them out round by round, the newest first.  To a part only those others speak that can lead to
its file: what the rest of the project does says nothing of it, and need not even be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from jitlint.analysis.parts.places import Name

#: a transformed function: where it is made, by which transform, of which function
Identity = tuple[Name, str, Name]
#: which function a place transforms
Use = tuple[Name, Name]


class Progress(Struct, frozen=True):
    """What a part has seen so far.

    Args:
      made: the transformed functions that wait for a call, in the order in which they were made.
      called: those that were called.
    """

    made: tuple[Identity, ...]
    called: frozenset[Use]


#: of a part that has not begun
NOTHING: Final = Progress((), frozenset())


class Agenda:
    """Which part traces which transformed functions, round by round; sets of files have bits.

    Args:
      bit: the set of one file.
      above: a file, and those that can lead to it.
    """

    def __init__(self, bit: Callable[[Path], int], above: Callable[[Path], int]) -> None:
        self._bit = bit
        self._above = above
        #: what each part would trace, and who makes the same
        self._owned: dict[tuple[Identity, Path], None] = {}
        self._makers: dict[Identity, int] = {}
        #: what each part would trace once all else is
        self._last: dict[tuple[Identity, Path], None] = {}
        #: the files in which something was traced, and those from which it was called
        self._done: dict[Use, int] = {}
        self._called: dict[Use, int] = {}

    def own(self, identity: Identity, path: Path) -> None:
        """Say that a part traces a transformed function, if none that leads there does."""
        if (identity, path) not in self._owned and not (
            self._makers.get(identity, 0) & self._above(path)
        ):
            self._owned[identity, path] = None
            self._makers[identity] = self._makers.get(identity, 0) | self._bit(path)

    def own_last(self, identity: Identity, path: Path) -> None:
        """Say who traces what users apply, once all else is traced that is never called."""
        self._last[identity, path] = None

    def add(self, path: Path, progress: Progress) -> None:
        """Take in what a part has seen; parts in their order at first."""
        for identity in progress.made:
            self.own(identity, path)
        self.call(path, progress.called)

    def call(self, path: Path, uses: Iterable[Use]) -> None:
        """Take in what code of a file has called."""
        bit = self._bit(path)
        for use in uses:
            self._called[use] = self._called.get(use, 0) | bit

    def next_round(self) -> list[tuple[Path, Identity]]:
        """Who traces what next: one after the other, the newest first; empty at the end."""
        return self._chosen(self._owned) or self._chosen(self._last)

    def _chosen(self, owned: dict[tuple[Identity, Path], None]) -> list[tuple[Path, Identity]]:
        """What nobody has called or been asked to trace, with who would trace it."""
        chosen: list[tuple[Path, Identity]] = []
        for identity, path in reversed(owned):
            use, above = use_of(identity), self._above(path)
            done = self._done.get(use, 0)
            if not (done & above) and not self.is_called(identity, above):
                self._done[use] = done | self._bit(path)
                chosen.append((path, identity))
        return chosen

    def is_called(self, identity: Identity, files: int) -> bool:
        """Whether code of some files has called a transformed function."""
        return bool(self._called.get(use_of(identity), 0) & files)


def use_of(identity: Identity) -> Use:
    """Which function of which place it is."""
    return identity[0], identity[2]

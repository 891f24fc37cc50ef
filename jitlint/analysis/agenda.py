"""What the parts of an analysis tell each other, and who traces what nobody calls.

Which transformed functions are traced by themselves depends on the calls that all parts saw: the
agenda hands them out round by round, the newest first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from jitlint.analysis.places import Name

#: a transformed function: where it is made, by which transform, of which function
Identity = tuple[Name, str, Name]
#: which function a place transforms
Use = tuple[Name, Name]


@dataclass(frozen=True, slots=True)
class Progress:
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
    """Which part traces which transformed functions, round by round."""

    def __init__(self) -> None:
        self._owners: dict[Identity, int] = {}
        self._last: dict[Identity, int] = {}
        self._done: set[Use] = set()
        self.called: set[Use] = set()

    def own(self, identity: Identity, owner: int) -> None:
        """Say who traces a transformed function, if nobody does yet."""
        self._owners.setdefault(identity, owner)

    def own_last(self, identity: Identity, owner: int) -> None:
        """Say who traces what users apply, once all else is traced that is never called."""
        self._last.setdefault(identity, owner)

    def add(self, owner: int, progress: Progress) -> None:
        """Take in what a part has seen; parts in their order at first."""
        for identity in progress.made:
            self._owners.setdefault(identity, owner)
        self.called |= progress.called

    def next_round(self) -> list[tuple[int, list[Identity]]]:
        """Who traces what next: one after the other, the newest first; empty at the end."""
        chosen = self._chosen(self._owners) or self._chosen(self._last)
        return [
            (owner, [identity for _, identity in group])
            for owner, group in groupby(chosen, key=lambda item: item[0])
        ]

    def _chosen(self, owners: dict[Identity, int]) -> list[tuple[int, Identity]]:
        """What nobody has called or been asked to trace, with who would trace it."""
        chosen: list[tuple[int, Identity]] = []
        for identity, owner in reversed(owners.items()):
            use = use_of(identity)
            if use not in self.called and use not in self._done:
                self._done.add(use)
                chosen.append((owner, identity))
        return chosen

    def uncalled(self, identities: Iterable[Identity]) -> list[Identity]:
        """Those that nobody has called yet."""
        return [identity for identity in identities if use_of(identity) not in self.called]


def use_of(identity: Identity) -> Use:
    """Which function of which place it is."""
    return identity[0], identity[2]

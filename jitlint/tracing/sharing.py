"""An analysis shared out between processes: what one tells the others, and in what order.

Each process interprets some of the starting points.  Which transformed functions are then traced by
themselves depends on the calls that all of them saw, and on the order: the agenda keeps to the one
that a single process follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING

from jitlint.absint.transforms.transforms import use_key
from jitlint.absint.values.domain import base_function
from jitlint.tracing.places import Name, PlaceNames

if TYPE_CHECKING:
    from jitlint.absint.values.domain import Transformed
    from jitlint.project.index import Unit
    from jitlint.tracing.discovery import Discovery

#: a transformed function: where it is made, by which transform, of which function
Identity = tuple[Name, str, Name]
#: which function a place transforms
Use = tuple[Name, Name]


@dataclass(frozen=True, slots=True)
class Progress:
    """What one process has seen so far.

    Args:
      made: the transformed functions that wait for a call, in the order in which they were made.
      called: those of them that were called.
    """

    made: tuple[Identity, ...]
    called: frozenset[Use]


class Share:
    """The part of an analysis that runs in this process.

    Args:
      discovery: the analysis.
      names: gives places their names.
    """

    def __init__(self, discovery: Discovery, names: PlaceNames | None = None) -> None:
        self.discovery = discovery
        self.names = names or PlaceNames()
        self._identities: dict[int, Identity] = {}

    def progress(self) -> Progress:
        """What the other processes need to know."""
        it = self.discovery.interpreter
        made = {self._identity(each): None for each in it.pending}
        called = {use_of(self._identity(each)) for each in it.pending if use_key(each) in it.called}
        return Progress(tuple(made), frozenset(called))

    def made_since(self, known: int) -> tuple[Identity, ...]:
        """The transformed functions that were made after the first ones."""
        later = islice(self.discovery.interpreter.pending, known, None)
        return tuple(dict.fromkeys(map(self._identity, later)))

    def trace(self, identities: Iterable[Identity], called: Iterable[Use]) -> None:
        """Trace transformed functions that nobody has called.

        Args:
          identities: which, in this order.
          called: what some process has called.
        """
        it = self.discovery.interpreter
        waiting = {self._identity(made): made for made in it.pending}
        uses = {use_of(identity): use_key(made) for identity, made in waiting.items()}
        it.called.update(uses[use] for use in called if use in uses)
        for identity in identities:
            made = waiting[identity]
            if use_key(made) not in it.called:
                self.discovery.trace_unseen(made)

    def _identity(self, made: Transformed) -> Identity:
        known = self._identities.get(id(made))
        if known is None:
            function = base_function(made.function)
            place = self.names.of_place(made.place)
            base = place if function is None else self.names.of_code(function.code)
            known = self._identities[id(made)] = (place, made.transform, base)
        return known


class Agenda:
    """Which process traces which transformed functions, round by round."""

    def __init__(self) -> None:
        self._owners: dict[Identity, int] = {}
        self._done: set[Use] = set()
        self.called: set[Use] = set()

    def own(self, identity: Identity, owner: int) -> None:
        """Say who traces a transformed function, if nobody does yet."""
        self._owners.setdefault(identity, owner)

    def add(self, owner: int, progress: Progress) -> None:
        """Take in what a process has seen; processes in the order of their shares at first."""
        for identity in progress.made:
            self._owners.setdefault(identity, owner)
        self.called |= progress.called

    def next_round(self) -> list[tuple[int, list[Identity]]]:
        """Who traces what next: one after the other, the newest first; empty at the end."""
        chosen: list[tuple[int, Identity]] = []
        for identity, owner in reversed(self._owners.items()):
            use = use_of(identity)
            if use not in self.called and use not in self._done:
                self._done.add(use)
                chosen.append((owner, identity))
        return [
            (owner, [identity for _, identity in group])
            for owner, group in groupby(chosen, key=lambda item: item[0])
        ]


def use_of(identity: Identity) -> Use:
    """Which function of which place it is."""
    return identity[0], identity[2]


def cuts(units: Sequence[Unit], parts: int) -> list[int]:
    """Where to cut a sequence of starting points: parts of like size, whole modules if possible.

    Args:
      units: in the order in which they are interpreted.
      parts: how many shares.

    Returns:
      The index at which each share but the first begins.
    """
    total = sum(unit_rows(unit) for unit in units)
    found: list[int] = []
    rows = 0
    for index, unit in enumerate(units):
        while len(found) < parts - 1 and rows >= total * (len(found) + 1) / parts:
            found.append(_near_boundary(units, index, total // parts // 8))
        rows += unit_rows(unit)
    return found + [len(units)] * (parts - 1 - len(found))


def unit_rows(unit: Unit) -> int:
    """The size of a starting point."""
    return unit.last - unit.first + 1


def _near_boundary(units: Sequence[Unit], index: int, slack: int) -> int:
    """A cut between two modules if one is near."""
    for step in (-1, 1):
        at, rows = index, 0
        while 0 < at < len(units) and rows <= slack:
            if units[at].module is not units[at - 1].module:
                return at
            at += step
            rows += unit_rows(units[min(at, len(units) - 1)])
    return index

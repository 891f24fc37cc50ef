"""Which way substituted conditions go."""

from __future__ import annotations


class Branches:
    """The outcomes of substituted conditions: depth first, until every branch has had its turn."""

    def __init__(self) -> None:
        self._tried: set[tuple[object, bool]] = set()
        self._plan: list[bool] = []
        self._taken: list[tuple[object, bool, bool]] = []

    def start(self) -> None:
        """Begin a run."""
        self._taken = []

    def choose(self, place: object) -> bool:
        """The outcome of a condition: true at first, later visits false, so that loops end."""
        position = len(self._taken)
        visits = sum(1 for known, _, _ in self._taken if known == place)
        outcome = self._plan[position] if position < len(self._plan) else visits == 0
        self._taken.append((place, outcome, visits == 0))
        self._tried.add((place, outcome))
        return outcome

    def advance(self) -> bool:
        """Plan the next run; False when no branch is left."""
        for position in range(len(self._taken) - 1, -1, -1):
            place, outcome, first = self._taken[position]
            if first and (place, not outcome) not in self._tried:
                self._plan = [taken for _, taken, _ in self._taken[:position]]
                self._plan.append(not outcome)
                return True
        self._plan = []
        return False

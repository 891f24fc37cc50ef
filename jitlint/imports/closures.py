"""What files lead to, step by step, along the edges of a graph; sets of files have bits."""

from __future__ import annotations

from collections.abc import Sequence


class Closure:
    """What files lead to, step by step.

    Args:
      edges: for each file what it leads to by itself.
    """

    def __init__(self, edges: Sequence[set[int]]) -> None:
        self.edges = edges
        #: the files that lead to each other in circles, each group behind all that it leads to
        self.groups = groups_of(edges)
        #: the group of each file
        self.group = _numbers(self.groups)
        #: by group, all that it leads to, and itself
        self.below = below_groups(self.groups, edges)

    def from_importers(self, own: Sequence[int]) -> list[int]:
        """For each group its own set, joined with those of all that lead to it."""
        found = list(own)
        for group in range(len(found) - 1, -1, -1):
            for imported in _imports_of(self.groups[group], self.group, self.edges):
                found[imported] |= found[group]
        return found


def groups_of(edges: Sequence[set[int]]) -> list[list[int]]:
    """The files that lead to each other in circles, each group behind all that it leads to."""
    left = [iter(sorted(some)) for some in edges]
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    done: set[int] = set()
    groups: list[list[int]] = []
    for start in range(len(edges)):
        waiting = [start] if start not in index else []
        while waiting:
            number = waiting[-1]
            if number not in index:
                index[number] = low[number] = len(index)
                stack.append(number)
            following = next(left[number], None)
            if following is not None:
                if following not in index:
                    waiting.append(following)
                elif following not in done:
                    low[number] = min(low[number], index[following])
                continue
            waiting.pop()
            if waiting:
                low[waiting[-1]] = min(low[waiting[-1]], low[number])
            if low[number] == index[number]:
                cut = stack.index(number)
                groups.append(stack[cut:])
                done.update(stack[cut:])
                del stack[cut:]
    return groups


def _numbers(groups: Sequence[Sequence[int]]) -> list[int]:
    """The number of each file's group."""
    found = [0] * sum(map(len, groups))
    for group, members in enumerate(groups):
        for number in members:
            found[number] = group
    return found


def below_groups(groups: Sequence[Sequence[int]], edges: Sequence[set[int]]) -> list[int]:
    """What the files of each group lead to, themselves included."""
    numbers = _numbers(groups)
    found: list[int] = []
    for members in groups:
        some = sum(1 << number for number in members)
        for group in _imports_of(members, numbers, edges):
            some |= found[group]
        found.append(some)
    return found


def _imports_of(
    members: Sequence[int], group_of: Sequence[int], edges: Sequence[set[int]]
) -> set[int]:
    """The groups that a group leads to besides itself."""
    groups = {group_of[other] for number in members for other in edges[number]}
    return groups - {group_of[members[0]]}

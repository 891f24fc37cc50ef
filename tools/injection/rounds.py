"""Which faults can be in one analysis without hiding each other.

After a report the value is unknown, so a fault in a function may hide the ones in those that it
calls.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tools.injection.recording import Function, nearest_callers


def rounds(functions: Sequence[Function], wanted: Collection[int]) -> list[list[int]]:
    """Share functions out so that none is with one that calls it.

    Args:
      functions: of a recording.
      wanted: the numbers of those to be shared out.

    Returns:
      Groups of numbers.
    """
    near: dict[int, set[int]] = {number: set() for number in wanted}
    for number in wanted:
        for caller in nearest_callers(functions, number, near):
            near[number].add(caller)
            near[caller].add(number)
    groups: list[list[int]] = []
    chosen: dict[int, int] = {}
    for number in sorted(near, key=lambda number: (-len(near[number]), number)):
        taken = {chosen[other] for other in near[number] if other in chosen}
        group = next(group for group in range(len(groups) + 1) if group not in taken)
        if group == len(groups):
            groups.append([])
        groups[group].append(number)
        chosen[number] = group
    return groups

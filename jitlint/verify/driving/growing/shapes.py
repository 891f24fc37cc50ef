"""Sizes of dimensions, each of which occurs once until it has to be the same as another.

Runs in a child process only.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

#: small numbers that are rarely the sum or the product of others
_UNIQUE = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
#: no array is made with a longer axis
_LARGEST = 4096
#: what every size is that nothing is known of, once a call has come through
_PLAIN = 3


@dataclass
class Sizes:
    """The sizes of the dimensions of some inputs, which are known by number.

    Args:
      same: a dimension that was made one with another, by its number.
      fixed: those that must have a certain size.
      count: how many there are.
    """

    same: dict[int, int] = field(default_factory=dict)
    fixed: dict[int, int] = field(default_factory=dict)
    count: int = 0

    def copy(self) -> Sizes:
        """The same, to be changed."""
        return Sizes({**self.same}, {**self.fixed}, self.count)

    def new(self, size: int | None = None) -> int:
        """Another dimension, of a size of its own where none is given."""
        self.count += 1
        if size is not None:
            self.fixed[self.count - 1] = size
        return self.count - 1

    def known(self, dimension: int) -> int:
        """The dimension that stands for one and all that are the same."""
        while dimension in self.same:
            dimension = self.same[dimension]
        return dimension

    def size(self, dimension: int, *, plain: bool = False) -> int:
        """The size of a dimension.

        Args:
          dimension: its number.
          plain: whether all that are free have the same size.
        """
        dimension = self.known(dimension)
        if dimension in self.fixed:
            return self.fixed[dimension]
        if plain:
            return _PLAIN
        turn, place = divmod(dimension, len(_UNIQUE))
        return _UNIQUE[place] + 100 * turn

    def with_size(self, size: int) -> int | None:
        """The free dimension that has a size, None if none has."""
        for dimension in range(self.count):
            free = dimension not in self.same and dimension not in self.fixed
            if free and self.size(dimension) == size:
                return dimension
        return None

    def all_with_size(self, size: int) -> list[int]:
        """The dimensions of a size, the free one first."""
        found = [n for n in range(self.count) if n not in self.same and self.size(n) == size]
        return sorted(found, key=lambda n: n in self.fixed)

    def unify(self, one: int, other: int) -> bool:
        """Make two dimensions the same; whether that changed anything."""
        one, other = self.known(one), self.known(other)
        if one == other or (one in self.fixed and other in self.fixed):
            return False
        if other in self.fixed or (one not in self.fixed and other < one):
            one, other = other, one
        self.same[other] = one
        return True

    def fix(self, dimension: int, size: int, *, again: Collection[int] = ()) -> bool:
        """Give a dimension a size; whether that changed anything.

        Args:
          dimension: its number.
          size: its size.
          again: dimensions whose size may be changed once more.
        """
        dimension = self.known(dimension)
        if not 0 < size <= _LARGEST or self.fixed.get(dimension) == size:
            return False
        if dimension in self.fixed and dimension not in again:
            return False
        self.fixed[dimension] = size
        return True

"""How large arrays are, where the code that makes them says so."""

from __future__ import annotations

import math

from jitlint.foundation.records import Record


class Extent(Record):
    """What is known of the size of one array; not part of the equality of values.

    Args:
      shape: the lengths of its dimensions.
      uniform: whether all of its elements are one value, so that a program holds that alone.
      outside: whether it was made outside of every trace.
    """

    shape: tuple[int, ...]
    uniform: bool
    outside: bool

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

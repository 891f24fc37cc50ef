"""Which array in memory a value is, as far as that can be told.

An array that Python holds lies in a buffer.  A value has the set of those of which its array is
one; the empty set where it may be any other as well.  A tracer has the buffers of arguments whose
shape and type it has, so that JAX could write the array that it stands for there.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.limits import BUFFERS


class Buffer:
    """The memory of one array, or of all leaves of a pytree: told from others by identity alone.

    Args:
      whole: the buffers of the pytree that it is a part of.
    """

    __slots__ = ("whole",)

    def __init__(self, whole: Buffers = frozenset()) -> None:
        self.whole = whole


Buffers = frozenset[Buffer]
#: of an array that may be any
NO_BUFFERS: Final[Buffers] = frozenset()


def single(buffer: Buffer) -> Buffers:
    """Of the array that lies in a buffer."""
    return frozenset((buffer,))


def new_buffer() -> Buffers:
    """Of an array that was made just now."""
    return single(Buffer())


def part_of(buffers: Buffers) -> Buffers:
    """Of some part of a pytree."""
    return single(Buffer(buffers)) if buffers else NO_BUFFERS


def roots_of(buffers: Buffers) -> Buffers:
    """The buffers, and in place of parts those of the whole."""
    if not any(buffer.whole for buffer in buffers):
        return buffers
    return frozenset().union(
        *(roots_of(buffer.whole) if buffer.whole else (buffer,) for buffer in buffers)
    )


def of_either(left: Buffers, right: Buffers) -> Buffers:
    """Of an array that is one of two; of any, if it may be one of too many."""
    if left is right or not left or not right:
        return left and right
    both = left | right
    return both if len(both) <= BUFFERS else NO_BUFFERS

"""What all abstract values have in common, and the one of which nothing is known."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from jitlint.absint.values.buffers import NO_BUFFERS, Buffers


class Value:
    """Base of all abstract values: immutable, compared and hashed by ``key``."""

    __slots__ = ("_hash",)
    _hash: int

    def key(self) -> tuple[Any, ...]:
        """What the value is, as a tuple of hashable parts."""
        return ()

    def __eq__(self, other: object) -> bool:
        """Structural equality, never looking at origins."""
        if self is other:
            return True
        return type(self) is type(other) and self.key() == other.key()

    def __hash__(self) -> int:
        """Hash of ``key``, computed once."""
        try:
            return self._hash
        except AttributeError:
            self._hash = hash((type(self).__name__, self.key()))
            return self._hash

    def __repr__(self) -> str:
        """Debugging form."""
        return f"{type(self).__name__}{self.key()!r}"


class Told(Struct, frozen=True):
    """What tests have shown of a value, on the paths at hand.

    Args:
      never: constants that it is not equal to.
      among: constants of which it is one, None if it may be something else.
      counts: how it counts as a truth.
      attributes: what they have shown of its attributes, by name.
      kinds: classes of which it is an instance, or is not.
      keys: constants that it holds as keys or elements, or does not.
    """

    never: frozenset[Value] = frozenset()
    among: frozenset[Value] | None = None
    counts: bool | None = None
    attributes: tuple[tuple[str, Told], ...] = ()
    kinds: frozenset[tuple[Value, bool]] = frozenset()
    keys: frozenset[tuple[Value, bool]] = frozenset()


class Unknown(Value):
    """Top: nothing is known, so nothing is ever reported about it.

    ``given`` is True for what is certainly not None, as somebody passes it; ``buffers`` are those
    that it lies in if it is an array; ``told`` is what tests have shown of it.  None of them is
    part of equality.
    """

    __slots__ = ("buffers", "given", "told")

    def __init__(
        self, *, given: bool = False, buffers: Buffers = NO_BUFFERS, told: Told | None = None
    ) -> None:
        self.given = given
        self.buffers = buffers
        self.told = told

    def as_given(self) -> Unknown:
        """The same, which is not None."""
        return Unknown(given=True, buffers=self.buffers, told=self.told)

    def replace(self, *, buffers: Buffers) -> Unknown:
        """The same in other buffers."""
        return Unknown(given=self.given, buffers=buffers, told=self.told)


class Reported(Value):
    """What an expression gives that was reported to raise: nothing, on this path.

    Like Unknown it is never reported again, but a tracer from another path stays one.
    """

    __slots__ = ()


UNKNOWN: Final = Unknown()
REPORTED: Final = Reported()
#: passed in place of a default of None
GIVEN: Final = Unknown(given=True)

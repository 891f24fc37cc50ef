"""What users of a class mention, of which something is selected."""

from __future__ import annotations

from msgspec import Struct

from jitlint.project.units import Unit


class Members(Struct, frozen=True):
    """What a user of a class must mention.

    Args:
      cls: the name of the class.
      names: what is selected in it.
      made: whether making an instance will do.
      implied: what of it is called where nothing mentions it: ``__next__``.
    """

    cls: str
    names: frozenset[str]
    made: bool
    implied: frozenset[str] = frozenset()

    def in_unit(self, unit: Unit) -> bool:
        """Whether a unit mentions it."""
        return (
            not self.names.isdisjoint(unit.words_after_dots)
            or (self.made and self.cls in unit.words_called)
            or self.cls in unit.words_decorating
        )

    def made_in(self, unit: Unit) -> bool:
        """Whether a unit makes an object of the class."""
        return self.cls in unit.words_called

"""How a step of an explanation is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

#: it is written there: a call, an import, a decorator
SEEN: Final = "seen"
#: an annotation or the use of a parameter says so, and no call that is known
DECLARED: Final = "declared"
#: it is one of several things: what a caller may pass, what the names that are used fit
GUESSED: Final = "guessed"
#: all of them, the least certain first
CERTAINTIES: Final = (GUESSED, DECLARED, SEEN)


def least(certainties: Iterable[str]) -> str:
    """How something is known that rests on several steps."""
    found = {*certainties}
    return next((one for one in CERTAINTIES if one in found), SEEN)

"""The list of ways to write a program again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import libcst as cst

#: gives a module written in another way; the same one where there is nothing to write so
Rewrite = Callable[[cst.Module], cst.Module]


@dataclass(frozen=True, slots=True)
class Refactoring:
    """A way to write a program again.

    Args:
      name: says what is done.
      rewrite: does it.
      hoists: whether the code at fault may stand in rows above the statement it stood in.
    """

    name: str
    rewrite: Rewrite
    hoists: bool = False


REFACTORINGS: dict[str, Refactoring] = {}


def refactoring(*, hoists: bool = False) -> Callable[[Rewrite], Rewrite]:
    """Put a function into the list; its name says what it does."""

    def listed(rewrite: Rewrite) -> Rewrite:
        name = rewrite.__name__.replace("_", " ")
        REFACTORINGS[name] = Refactoring(name, rewrite, hoists)
        return rewrite

    return listed

"""The list of kinds of edits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.edits.sources import Files

#: gives the files after an edit; None where there is nothing to be edited so
Edit = Callable[[random.Random, Files], Files | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of edits.

    Args:
      name: says what is edited.
      group: "trivia" means nothing to JAX or Python; "body" is inside of functions; "surface" is
        what others see of a module; "files" is about files and configuration.
      edit: does it.
      broken: whether files may not parse afterwards, which nobody leaves so for long.
    """

    name: str
    group: str
    edit: Edit
    broken: bool = False


KINDS: dict[str, Kind] = {}


def kind(group: str, *, broken: bool = False) -> Callable[[Edit], Edit]:
    """Put a function into the list; its name says what it does."""

    def listed(edit: Edit) -> Edit:
        name = edit.__name__.replace("_", " ")
        KINDS[name] = Kind(name, group, edit, broken)
        return edit

    return listed

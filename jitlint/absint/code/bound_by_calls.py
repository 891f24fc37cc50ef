"""What gives a name of a module its values, by the rows that hold the name."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex


def makers_of(module: ModuleIndex, name: str) -> frozenset[str]:
    """What the calls start from that give a name of a module its values, as far as rows tell.

    Args:
      module: the module.
      name: the name.

    Returns:
      Nothing where others give it values, too.
    """
    # The patterns look at one line each, and a search for a word is much quicker than they are.
    text = "".join(module.rows_with(name))
    bound, other = _patterns(name)
    if other.search(text):
        return frozenset()
    found = [match["head"] for match in bound.finditer(text)]
    return frozenset() if None in found else frozenset(found)


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    word = rf"(?:\w+[ \t]*,[ \t]*)*{name}(?:[ \t]*,[ \t]*\w+)*"
    call = r"(?:(?P<head>[A-Za-z_]\w*)[\w.]*\()?"
    bound = rf"(?m)(?:^|;)[ \t]*{word}[ \t]*(?::[^=\n]+)?=(?!=)[ \t]*{call}"
    other = (
        rf"\bfor\b[^\n]*\b{name}\b[^\n]*\bin\b|\b(?:def|lambda)\b[^\n]*\b{name}\b"
        rf"|\bas[ \t]+{name}\b|\b{name}[ \t]*:=|\b(?:global|nonlocal)\b[^\n]*\b{name}\b"
    )
    return re.compile(bound), re.compile(other)

"""What a name is given by calls, as the text around a use of it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jitlint.project.units import Unit

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

_BIND: Final = re.compile(r"\bbind\(")
_KEYWORD: Final = re.compile(r"(\b\w+|\*\*)(?:(?<=\*)|\s*=(?!=))")


def makers(unit: Unit, name: str) -> Iterator[str]:
    """The dotted names of what is called for the value of a name.

    Args:
      unit: where the name is used.
      name: a variable, or an attribute of one: ``self.grid``.  In a function it is looked for in
        the function, an attribute in all methods of its class, in another statement in the module.
    """
    pattern = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*(?::[^=\n]*)?=[ \t]*([\w.]+)\(", re.M)
    if not unit.is_function:
        yield from unit.module.all_found(pattern)
    elif "." not in name:
        yield from unit.all_found(pattern)
    elif unit.cls is not None:
        for method in unit.cls.methods.values():
            for each in method:
                yield from each.all_found(pattern)


def bound_by_name(module: ModuleIndex) -> frozenset[str]:
    """The names by which a ``bind(...)`` in a module passes something; or ``**``."""
    text, found = module.code, set[str]()
    for start in _BIND.finditer(text):
        end, depth = start.end(), 1
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.update(_KEYWORD.findall(text, start.end(), end))
    return frozenset(found)

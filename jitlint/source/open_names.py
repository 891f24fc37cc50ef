"""What modules leave for others to put in: registries to fill, methods to define.

Who asks a registry for a function, or an object of a base class for a method that this only
declares, is led to modules that it does not import.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

#: words without which no class leaves anything to those that derive from it
DECLARING: Final = frozenset({"abstractmethod", "NotImplementedError"})
_MEMBER: Final = re.compile(
    r"^[ \t]*(?:async[ \t]+)?(?P<kind>class|def)[ \t]+(?P<name>\w+)", re.MULTILINE
)
_DERIVED: Final = re.compile(r"^[ \t]*class\s+(\w+)\s*\(([^)]*)\)", re.MULTILINE)
_WORD: Final = re.compile(r"\w+")
#: a container of a module, empty when that is imported
_CONTAINER: Final = re.compile(
    r"^(\w+)[ \t]*(?::[^=\n]+)?=[ \t]*(?:\{\}|\[\]|(?:[\w.]*(?:dict|Dict|list|set|deque))\()",
    re.MULTILINE,
)
_DEFINITION: Final = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
#: a name behind which something is put into its container; what stands there may hold another one
_FILLS: Final = re.compile(
    r"\b(\w+)(?=\s*(?:\[[^\]\n]*\]\s*=(?!=)"
    r"|\.(?:append|add|update|setdefault|extend|insert)\())"
)
_DECORATOR: Final = re.compile(r"^[ \t]*@(.*)", re.MULTILINE)
#: a call that is a statement of the module, or the value of one
_CALLED: Final = re.compile(
    r"^(?:[\w.]+[ \t]*=[ \t]*)?(?:\w+\.)*(\w+)\((?!__file__\))", re.MULTILINE
)
_DOTTED: Final = re.compile(r"\w+(?:\.\w+)*")


def open_names(text: str) -> dict[str, frozenset[str]]:
    """What a module leaves open to others: containers, functions that fill them, base classes.

    Returns:
      Their names; of classes with the methods that they leave to those that derive from them.
    """
    found = dict(_declaring(text))
    containers = dict.fromkeys(_CONTAINER.findall(text), frozenset[str]())
    found.update(containers)
    if containers:
        definitions = list(_DEFINITION.finditer(text))
        starts = [each.start() for each in definitions]
        for fills in _FILLS.finditer(text):
            begin = text.rfind("\n", 0, fills.start()) + 1
            above = bisect_left(starts, begin)
            if above and fills[1] in containers and text[begin].isspace():
                found[definitions[above - 1][1]] = frozenset()
    return found


def _declaring(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The classes that leave methods to those that derive from them, with these methods."""
    found: dict[str, set[str]] = {}
    for cls, name, decorators, body in _members(text) if _declares(text) else ():
        if _declares(decorators + body) and not name.startswith("__init"):
            found.setdefault(cls, set()).add(name)
    for cls, names in found.items():
        yield cls, frozenset(names)


def _declares(text: str) -> bool:
    return any(word in text for word in DECLARING)


def _members(text: str) -> Iterator[tuple[str, str, str, str]]:
    """The functions below each class: its name, theirs, what stands above them, and in them."""
    cls = ""
    end = 0
    definitions = list(_MEMBER.finditer(text))
    following = [*(each.start() for each in definitions), len(text)][1:]
    for definition, last in zip(definitions, following, strict=True):
        if definition["kind"] == "class":
            cls = definition["name"]
        elif cls:
            decorators = text[end : definition.start()].rpartition("\n\n")[2]
            body = text[definition.end() : last]
            yield cls, definition["name"], decorators, body
        end = definition.end()


def derived_names(text: str) -> set[str]:
    """All words among the base classes of a text."""
    return {name for match in _DERIVED.finditer(text) for name in _WORD.findall(match[2])}


class Fillers:
    """The classes of a text that derive from others.

    Args:
      text: the module.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._derived = [(each[1], _WORD.findall(each[2])) for each in _DERIVED.finditer(text)]
        self._defined: dict[str, set[str]] = {}
        for cls, name, *_ in _members(text) if self._derived else ():
            self._defined.setdefault(cls, set()).add(name)

    def of(self, name: str, declared: frozenset[str]) -> dict[str, bool]:
        """Those that derive from one that leaves methods open.

        Args:
          name: the class.
          declared: the methods that it leaves open.

        Returns:
          For each whether it defines some of them.
        """
        names = {name}
        if f"{name} as " in self._text:
            names.update(re.findall(rf"\b{name} as (\w+)", self._text))
        return {
            cls: not declared.isdisjoint(self._defined.get(cls, ()))
            for cls, bases in self._derived
            if not names.isdisjoint(bases)
        }


def registering_names(text: str) -> set[str]:
    """All names by which code that runs when a module is imported may fill in registries.

    Args:
      text: the module.

    Returns:
      Decorators, functions that are called, and containers that something is put into.
    """
    found = {name for above in _DECORATOR.findall(text) for name in _WORD.findall(above)}
    found.update(_CALLED.findall(text))
    for fills in _FILLS.finditer(text):
        if fills[1] not in found:
            begin = text.rfind("\n", 0, fills.start()) + 1
            row = _DOTTED.match(text, begin)
            if row is not None and fills[1] in row[0].split("."):
                found.add(fills[1])
    return found

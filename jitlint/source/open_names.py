"""What modules leave for others to put in: registries to fill, methods to define.

Who asks a registry for a function, or an object of a base class for a method that this only
declares, is led to modules that it does not import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
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


def open_names(text: str) -> dict[str, frozenset[str]]:
    """What a module leaves open to others: containers, functions that fill them, base classes.

    Returns:
      Their names; of classes with the methods that they leave to those that derive from them.
    """
    found = dict(_declaring(text))
    for container in _CONTAINER.findall(text):
        for fills in _filling(container).finditer(text):
            begin = text.rfind("\n", 0, fills.start()) + 1
            if not text[begin].isspace():
                continue
            definitions = _DEFINITION.findall(text, 0, begin)
            if definitions:
                found[definitions[-1]] = frozenset()
        found[container] = frozenset()
    return found


@cache
def _filling(name: str) -> re.Pattern[str]:
    """Code that puts something into the container of a name."""
    return re.compile(
        rf"\b{name}\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.(?:append|add|update|setdefault|extend|insert)\()"
    )


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


def registers(text: str, name: str) -> bool:
    """Whether code that runs when a module is imported puts something into a registry.

    Args:
      text: the module.
      name: a decorator or function that registers, or a container.
    """
    called = rf"^[ \t]*@.*\b{name}\b|^(?:[\w.]+[ \t]*=[ \t]*)?(?:\w+\.)*{name}\((?!__file__\))"
    if re.search(called, text, re.MULTILINE) is not None:
        return True
    begins = (text.rfind("\n", 0, fills.start()) + 1 for fills in _filling(name).finditer(text))
    direct = re.compile(rf"(?:\w+\.)*{name}\b")
    return any(direct.match(text, begin) is not None for begin in begins)

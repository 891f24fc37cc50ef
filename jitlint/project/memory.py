"""What one analysis of a project can hand to the next, where a process runs many: an editor's.

A text, its index and the tree of a piece of source depend on that text alone, so whoever remembers
them finds what he would find without.  What came of functions is remembered with all that it rests
on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from jitlint.project.index import ModuleIndex

#: characters of source whose trees are kept for the next analysis: some 80 MB
MOST_SOURCE: Final = 1_000_000


class Trees:
    """Parsed pieces of source by their text; each is lent to one user at a time.

    Two places with the same text need two trees, for what is known of a node is known of one place.
    Of those that nobody uses the latest are remembered.

    Args:
      most: characters of source whose trees are remembered.
    """

    def __init__(self, most: int = MOST_SOURCE) -> None:
        self._most = most
        #: those that were used first come first
        self._free: dict[tuple[str, bool], list[Any]] = {}
        #: of their sources
        self._size = 0
        self._lent: list[tuple[tuple[str, bool], Any]] = []

    def begin(self) -> None:
        """An analysis begins, or has ended: everything is free."""
        for key, tree in self._lent:
            # Behind all that were used before.
            known = self._free.pop(key, [])
            self._free[key] = [*known, tree]
            self._size += len(key[0])
        self._lent.clear()
        while self._size > self._most:
            key = next(iter(self._free))
            self._size -= len(key[0]) * len(self._free.pop(key))

    def end(self) -> None:
        """An analysis came to its end."""
        self.begin()

    def take(self, text: str, indented: bool) -> Any:
        """A tree of a text, None where there is none left."""
        free = self._free.get((text, indented))
        if not free:
            return None
        tree = free.pop()
        self._size -= len(text)
        self._lent.append(((text, indented), tree))
        return tree

    def add(self, text: str, indented: bool, tree: Any) -> None:
        """Remember a new tree, which is in use."""
        self._lent.append(((text, indented), tree))


@dataclass
class Memory:
    """All that is remembered.

    Args:
      modules: the index of each file, and whether its syntax was checked strictly.
      trees: of pieces of source.
      parts: what came of the functions of each file, for those who know what that is.
      outdated: indexes of texts that have changed since.
    """

    modules: dict[Path, tuple[ModuleIndex, bool]] = field(default_factory=dict)
    trees: Trees = field(default_factory=Trees)
    parts: Any = None
    outdated: list[ModuleIndex] = field(default_factory=list)

    def keep(self, module: ModuleIndex, strict: bool) -> None:
        """Remember the index of a file.

        Args:
          module: the index.
          strict: whether the syntax of the file was checked strictly.
        """
        known = self.modules.get(module.path)
        if known is not None:
            self.outdated.append(known[0])
        self.modules[module.path] = module, strict

    def tidy(self) -> None:
        """Let go of what only the last analysis needed, which refers to itself."""
        for module in self.outdated:
            vars(module).clear()
        self.outdated.clear()
        self.trees.end()

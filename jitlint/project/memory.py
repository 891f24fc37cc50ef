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
        self._lent: list[tuple[tuple[str, bool], Any]] = []
        #: of the sources of all
        self._size = 0

    def begin(self) -> None:
        """An analysis begins, or has ended: everything is free."""
        for key, tree in self._lent:
            # Behind all that were used before.
            known = self._free.pop(key, [])
            known.append(tree)
            self._free[key] = known
        self._lent.clear()

    def end(self) -> None:
        """An analysis came to its end."""
        self.begin()

    def take(self, text: str, indented: bool) -> Any:
        """A tree of a text, None where there is none left."""
        free = self._free.get((text, indented))
        if not free:
            return None
        tree = free.pop()
        if not free:
            del self._free[text, indented]
        self._lent.append(((text, indented), tree))
        return tree

    def add(self, text: str, indented: bool, tree: Any) -> None:
        """Remember a new tree, which is in use, and forget old ones for it.

        One after the other, as it takes its time to let go of many.
        """
        self._lent.append(((text, indented), tree))
        self._size += len(text)
        while self._size > self._most and self._free:
            key = next(iter(self._free))
            trees = self._free[key]
            trees.pop()
            if not trees:
                del self._free[key]
            self._size -= len(key[0])


@dataclass
class Memory:
    """All that is remembered.

    Args:
      modules: the index of each file.
      trees: of pieces of source.
      parts: what came of the functions of each file, for those who know what that is.
      outdated: indexes of texts that have changed since.
    """

    modules: dict[Path, ModuleIndex] = field(default_factory=dict)
    trees: Trees = field(default_factory=Trees)
    parts: Any = None
    outdated: list[ModuleIndex] = field(default_factory=list)

    def keep(self, module: ModuleIndex) -> None:
        """Remember the index of a file."""
        known = self.modules.get(module.path)
        if known is not None:
            self.outdated.append(known)
        self.modules[module.path] = module

    def tidy(self) -> None:
        """Let go of what only the last analysis needed, which refers to itself."""
        for module in self.outdated:
            vars(module).clear()
        self.outdated.clear()

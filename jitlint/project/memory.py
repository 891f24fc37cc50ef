"""What one analysis of a project can hand to the next, where a process runs many: an editor's.

A text, its index and the tree of a piece of source depend on that text alone, so whoever remembers
them finds what he would find without.  What came of functions is remembered with all that it rests
on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jitlint.project.index import ModuleIndex


class Trees:
    """Parsed pieces of source by their text; each is lent to one user at a time.

    Two places with the same text need two trees, for what is known of a node is known of one place.
    """

    def __init__(self) -> None:
        self._free: dict[tuple[str, bool], list[Any]] = {}
        self._lent: list[tuple[tuple[str, bool], Any]] = []

    def begin(self) -> None:
        """An analysis begins: everything is free."""
        for key, tree in self._lent:
            self._free.setdefault(key, []).append(tree)
        self._lent.clear()

    def end(self) -> None:
        """An analysis came to its end: what it did not need is forgotten."""
        self._free.clear()

    def take(self, text: str, indented: bool) -> Any:
        """A tree of a text, None where there is none left."""
        free = self._free.get((text, indented))
        if not free:
            return None
        tree = free.pop()
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
    """

    modules: dict[Path, tuple[ModuleIndex, bool]] = field(default_factory=dict)
    trees: Trees = field(default_factory=Trees)
    parts: Any = None

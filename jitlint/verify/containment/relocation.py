"""Paths of a project in its copy, and back."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from jitlint.verify.containment.inventory import Inventory


@dataclass(frozen=True)
class Relocation:
    """Where a project was, and where its copy is.

    Args:
      original: the folder that was copied.
      copy: the folder that stands for it, without symbolic links.
    """

    original: str
    copy: str

    def into_copy(self, values: Any, inventory: Inventory) -> Any:
        """Values as JSON knows them, in which the paths of what was copied name the copy.

        Args:
          values: any of them.
          inventory: what was copied.
        """
        moved = {self.original: self.copy}
        for name in (*inventory.folders, *inventory.files, *(name for name, _ in inventory.links)):
            moved[inventory.absolute(name)] = f"{self.copy}{os.sep}{name}"
        return _with_strings(values, lambda text: moved.get(text, text))

    def back(self, values: Any) -> Any:
        """Values as JSON knows them, in whose texts the original is named wherever the copy was."""
        original = "" if self.original == os.sep else self.original
        return _with_strings(values, lambda text: text.replace(self.copy, original))


def _with_strings(values: Any, change: Any) -> Any:
    if isinstance(values, str):
        return change(values)
    if isinstance(values, list | tuple):
        return [_with_strings(value, change) for value in values]
    if isinstance(values, dict):
        return {key: _with_strings(value, change) for key, value in values.items()}
    return values

"""A project whose modules hang together in every way we know, and random edits to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TEXT = Path(__file__).with_suffix(".txt").read_text()


def _modules() -> dict[str, list[list[str]]]:
    """For each module its pieces, and for each piece the ways in which it may be written."""
    found: dict[str, list[list[str]]] = {}
    for module in _TEXT.split("##### ")[1:]:
        name, _, text = module.partition("\n")
        pieces = text.split("### piece\n")[1:]
        found[name] = [piece.split("### or\n") for piece in pieces]
    return found


MODULES = _modules()

_RENAMED = {"pkg/core.py": "pkg/heart.py", "local.py": "lib/local.py", "pkg/vjp.py": "pkg/vjps.py"}


@dataclass
class ChangingProject:
    """The project at one moment.

    Args:
      chance: decides what is edited next.
    """

    chance: random.Random
    choices: dict[str, list[int]] = field(default_factory=dict)
    padding: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    renamed: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.choices = {name: [0] * len(pieces) for name, pieces in MODULES.items()}

    def files(self) -> Iterator[tuple[str, str]]:
        """The names and texts of all files."""
        for name, pieces in MODULES.items():
            if name in self.gone:
                continue
            texts = [piece[at] for piece, at in zip(pieces, self.choices[name], strict=True)]
            text = "\n".join(texts)
            if name in self.broken:
                text += "\ndef (:\n"
            shown = _RENAMED[name] if name in self.renamed else name
            yield shown, self.padding.get(name, "") + text

    def edit(self) -> str:
        """Change something; what was changed."""
        name = self.chance.choice(list(MODULES))
        roll = self.chance.random()
        if roll > 0.7 and self.gone | self.broken:
            # Most of the time the project should be whole.
            healed = self.chance.choice(sorted(self.gone | self.broken))
            self.gone.discard(healed)
            self.broken.discard(healed)
            return f"{healed} is whole again"
        if roll < 0.06:
            self.gone ^= {name}
            return f"{name} there or not"
        if roll < 0.12:
            name = self.chance.choice(list(_RENAMED))
            self.renamed ^= {name}
            return f"{name} renamed or back"
        if roll < 0.15 and name.endswith(".py"):
            self.broken ^= {name}
            return f"{name} broken or not"
        if roll < 0.25:
            self.padding[name] = self.chance.choice(["", "\n", "\n\n\n"])
            return f"{name} moved down"
        piece = self.chance.randrange(len(MODULES[name]))
        self.choices[name][piece] = self.chance.randrange(len(MODULES[name][piece]))
        return f"{name} piece {piece} is {self.choices[name][piece]}"

"""What a pasted traceback holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# Where other people's code lies; matched in paths with forward slashes.
_LIBRARY = re.compile(
    r"/(site|dist)-packages/|/lib/python\d|/Lib/(?!.*/)|/jax/_src/|/jaxlib/|^<frozen |"
    r"^<__array_function__|importlib/_bootstrap"
)
_PACKAGE = re.compile(r"/(site|dist)-packages/")
_OF_JAX = re.compile(r"/(jax|jaxlib)/")


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame.

    Args:
      filename: as it was pasted; ``Cell In[2]`` in a notebook.
      row: from 1.
      function: as it was pasted, None where it was not.
      lines: the source that was pasted with it, by row.
      marked: the part of the frame's own line that carets stand under, as offsets in the line
        without its indentation.
    """

    filename: str
    row: int
    function: str | None = None
    lines: Mapping[int, str] = field(default_factory=dict)
    marked: tuple[int, int] | None = None

    @property
    def line(self) -> str | None:
        """The frame's own line without its indentation, None where it was not pasted."""
        text = self.lines.get(self.row)
        return None if text is None else text.strip()

    @property
    def of_library(self) -> bool:
        """Whether the file belongs to Python, JAX or another installed package."""
        return _LIBRARY.search(self.filename.replace("\\", "/")) is not None

    @property
    def of_package(self) -> bool:
        """Whether the file belongs to an installed package."""
        return _PACKAGE.search(self.filename.replace("\\", "/")) is not None

    @property
    def of_jax(self) -> bool:
        """Whether the file belongs to JAX."""
        return self.of_library and _OF_JAX.search(self.filename.replace("\\", "/")) is not None


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception of a paste.

    Args:
      exception: the class's name as it was pasted; empty where only the message was.
      message: all lines of it.
      frames: the outermost first.
      linked: it arose from the exception before it, or while that was handled.
    """

    exception: str
    message: str
    frames: tuple[Frame, ...] = ()
    linked: bool = False

    @property
    def headline(self) -> str:
        """The class and the first line of the message."""
        first = self.message.strip().splitlines()[0] if self.message.strip() else ""
        name = self.exception.rpartition(".")[2]
        return f"{name}: {first}" if name and first else name or first

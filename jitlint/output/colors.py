"""Colour for terminals, by meaning."""

from __future__ import annotations

import os
from typing import TextIO

from jitlint.diagnostics import Severity

_RESET = "\x1b[0m"
_SEVERITY = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}


class Painter:
    """Wraps text in terminal colours, or leaves it alone.

    Args:
      enabled: whether to colour at all.
    """

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled

    def severity(self, text: str, severity: Severity) -> str:
        """Text in the colour of a severity."""
        return self._wrap(text, _SEVERITY[severity])

    def name(self, text: str) -> str:
        """A file name or a heading."""
        return self._wrap(text, "\x1b[1m")

    def frame(self, text: str) -> str:
        """The gutter and rules around source."""
        return self._wrap(text, "\x1b[94m")

    def label(self, text: str) -> str:
        """The word that says what the rest of a line is."""
        return self._wrap(text, "\x1b[1;36m")

    def aside(self, text: str) -> str:
        """What matters less than what stands around it."""
        return self._wrap(text, "\x1b[2m")

    def _wrap(self, text: str, start: str) -> str:
        return f"{start}{text}{_RESET}" if self._enabled and text else text


def wants_color(choice: str, stream: TextIO) -> bool:
    """Decide whether to colour what goes to a stream.

    Args:
      choice: ``always``, ``never``, or ``auto``: only a terminal, and only where neither
        ``NO_COLOR`` is set (to anything but nothing) nor ``TERM`` is ``dumb``.
      stream: where the text goes.

    Returns:
      Whether to colour.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()

"""What is told of a run that lasts: how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from lsprotocol import types

#: seconds after which a run is worth a word
PATIENCE: Final = 1.0
#: seconds between two words
_INTERVAL: Final = 0.2

Word = types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
#: tells the client, from whichever thread
Say = Callable[[Word], None]


class Announcement:
    """Tells the client of one run, once that has lasted; a context manager.

    Args:
      say: tells it; None where the client does not want to know.
    """

    def __init__(self, say: Say | None) -> None:
        self._say = say
        self._next = time.monotonic() + PATIENCE
        self._begun = False
        self._share, self._files = 0.0, 0

    def __enter__(self) -> Announcement:
        return self

    def __exit__(self, *_: object) -> None:
        if self._begun and self._say is not None:
            self._say(types.WorkDoneProgressEnd())

    def told(self, share: float, files: int) -> None:
        """Take in how far the run is.

        Args:
          share: of what there is to do, from 0 to 1.
          files: how many files it is to report on, as ``jitlint check --show-files`` lists them.
        """
        self._share, self._files = share, files

    def look(self) -> None:
        """Say how far it is, if it is time for that; called very often."""
        if self._say is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _INTERVAL
        percentage = int(100 * self._share)
        message = f"{int(self._share * self._files)}/{self._files} files" if self._files else None
        if self._begun:
            self._say(types.WorkDoneProgressReport(message=message, percentage=percentage))
            return
        self._begun = True
        self._say(
            types.WorkDoneProgressBegin(
                title="jitlint", message=message, percentage=percentage, cancellable=False
            )
        )

"""Which documents are known as they stand now, and who waits for that."""

from __future__ import annotations

import asyncio


class KnownDocuments:
    """What has been found out of documents, by their URIs.  For one thread."""

    def __init__(self) -> None:
        #: whether there are any of which nothing of their present text is known
        self._busy = False
        #: those of which all is known although that is so
        self._complete: set[str] = set()
        #: those of which there is an early answer
        self._early: set[str] = set()
        self._waiting: list[asyncio.Future[None]] = []

    def begin(self) -> None:
        """Something has changed: nothing is known any more."""
        self._busy = True
        self._complete.clear()
        self._early.clear()

    def add(self, uri: str, *, early: bool) -> None:
        """Something is known of a document.

        Args:
          uri: the document.
          early: whether more is still to come.
        """
        (self._early if early else self._complete).add(uri)

    def completed(self) -> set[str]:
        """The documents of which all is known now, and of which there was an early answer."""
        found = self._early & self._complete
        self._early -= found
        return found

    def end(self) -> None:
        """All is known of all of them."""
        self._busy = False
        self.wake()

    def wake(self) -> None:
        """Have those who wait look whether it is known what they wait for."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    async def settled(self, uri: str | None = None, *, early: bool = False) -> None:
        """Wait until what is known of a document, or of all, is of the text as it is now.

        Args:
          uri: the document.
          early: whether an early answer will do.
        """
        while self._busy and uri not in self._complete and not (early and uri in self._early):
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting

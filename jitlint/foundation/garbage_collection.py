"""When the garbage collector runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: when so many new objects are hidden, they are looked through without waiting for a pause: about
#: a second, and a quarter of a gigabyte
_MOST_OBJECTS: Final = 1_500_000
#: so many of one analysis take some hundredths of a second: nobody notices
_FEW_OBJECTS: Final = 100_000


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the garbage collector off.

    Nearly all that an analysis makes are trees that it holds on to until the end and that have no
    cycles; looking through them again and again took a fifth of the time, and looking through them
    once, as Python does when the collector comes back, still takes a tenth.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class PutOff:
    """What is to be looked through once, when nobody waits: for processes that analyse often.

    What is made inside :meth:`while_busy` is hidden from the collector when that ends, if it is
    much, so that whoever comes next does not wait until all of it has been looked through.
    """

    def __init__(self) -> None:
        #: how many objects were hidden since the last time
        self._hidden = 0

    @contextmanager
    def while_busy(self) -> Iterator[None]:
        """Keep the collector off, and later from what was made meanwhile."""
        with no_collection():
            try:
                yield
            finally:
                made = gc.get_count()[0]
                if made > _FEW_OBJECTS:
                    self._hidden += made
                    gc.freeze()
            # Not where it was given up: somebody waits for what comes next.
            if self._hidden > _MOST_OBJECTS:
                self.collect()

    def collect(self) -> None:
        """Look through everything, if anything was hidden since the last time."""
        if self._hidden:
            self._hidden = 0
            gc.unfreeze()
            gc.collect()
            # What is left lasts: the collector need not look at it again by itself.
            gc.freeze()


@contextmanager
def collection() -> Iterator[None]:
    """Keep the garbage collector on, whatever holds around."""
    collecting = gc.isenabled()
    gc.enable()
    try:
        yield
    finally:
        if not collecting:
            gc.disable()

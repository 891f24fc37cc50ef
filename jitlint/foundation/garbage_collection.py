"""When the garbage collector runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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

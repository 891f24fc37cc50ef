"""A lock between processes that were asked the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # Windows: everybody does all of the work
    fcntl = None  # type: ignore[assignment]

#: seconds after which nobody waits any longer, since whoever holds the lock may be suspended
_PATIENCE: Final = 120.0
_PAUSE: Final = 0.02


@contextmanager
def locked(path: Path, patience: float = _PATIENCE) -> Iterator[bool]:
    """Hold a lock, if that can be had; it ends with the process that holds it, however that ends.

    Args:
      path: a file, made if need be.
      patience: seconds to wait at most.

    Yields:
      Whether another process held it, so that what there is to do may be done.
    """
    waited = False
    try:
        file = None if fcntl is None else path.open("a")
    except OSError:
        file = None
    if file is None:
        yield waited
        return
    with file:
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                waited = True
                time.sleep(_PAUSE)
            except OSError:  # a file system without locks
                break
        yield waited

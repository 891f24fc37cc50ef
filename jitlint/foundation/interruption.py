"""Giving up in the middle: who computes asks again and again whether anybody still waits for it.

An editor's next keystroke makes the analysis of the last one needless.  What takes long says so at
places that come by often (:func:`checkpoint`): between statements that are interpreted, files that
are read or parsed, records that are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: says whether what runs is to give up
_asked: Callable[[], bool] | None = None


class Interrupted(BaseException):
    """What is being computed is not needed any more.

    It passes through wherever errors are caught, for it is none: whoever was at work leaves things
    as they are.
    """


def checkpoint() -> None:
    """Give up here, if what runs is not needed any more.

    Raises:
      Interrupted: it is not.
    """
    if _asked is not None and _asked():
        raise Interrupted


@contextmanager
def interruptible(asked: Callable[[], bool]) -> Iterator[None]:
    """Let what runs be given up, in whichever thread it does; one at a time.

    Args:
      asked: says whether it is to be; called very often, so it must be fast.
    """
    global _asked
    before, _asked = _asked, asked
    try:
        yield
    finally:
        _asked = before

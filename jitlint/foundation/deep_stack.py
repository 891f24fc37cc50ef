"""Recursion deeper than Python allows by itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Trees are walked by recursion with some ten frames for each level of nesting;
# generated code nests by the hundred.  The stack is reserved, not used, and leaves some 50 KB for
# a frame, parsers in native code included.
_FRAMES = 10_000
_STACK_BYTES = 512 * 1024 * 1024


def with_deep_stack(call: Callable[[], T]) -> T:
    """Call a function where recursion may go deep: in a thread with a stack of its own size.

    Args:
      call: the function; what it raises is raised here.

    Returns:
      Its result.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def target() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    frames = sys.getrecursionlimit()
    previous = threading.stack_size()
    try:
        sys.setrecursionlimit(max(frames, _FRAMES))
        threading.stack_size(_STACK_BYTES)
        # A daemon, so that an interrupt of the main thread ends the process.
        thread = threading.Thread(target=target, name="jitlint", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
        sys.setrecursionlimit(frames)
    if errors:
        raise errors[0]
    return results[0]

"""Recursion deeper than Python allows by itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

T = TypeVar("T")

# Trees are walked by recursion with some ten frames for each level of nesting;
# generated code nests by the hundred.  The stack is reserved, not used, and leaves some 50 KB for
# a frame, parsers in native code included.
_FRAMES = 10_000
_STACK_BYTES = 512 * 1024 * 1024
# CPython keeps frames in pieces of 16 KB, each got from the system when a call does not fit into
# the last one and given back when that call returns: a loop whose calls cross such an edge spends
# more on that than on what it does.  A frame that claims half of 8 MB makes its piece so large,
# the frames above it take the other half, and memory that nobody touches costs nothing.
_FRAME_SLOTS = 1 << 19


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
            results.append(_in_one_piece(call))
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


def _roomy(function: Callable[[Callable[[], Any]], Any]) -> Callable[[Callable[[], Any]], Any]:
    """A function whose frame comes with room for those of all that it calls."""
    code = function.__code__
    assert isinstance(code, CodeType)
    return FunctionType(code.replace(co_stacksize=_FRAME_SLOTS), function.__globals__)


@_roomy
def _in_one_piece(call: Callable[[], Any]) -> Any:
    return call()

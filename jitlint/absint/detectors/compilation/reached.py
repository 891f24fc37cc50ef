"""From where code was reached: who knows what is passed knows what is made of it."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


class Begun(IntEnum):
    """From where a place was reached: the more, the more is known of what is there.

    Attributes:
      ALONE: by the function around it alone, of whose arguments nothing is known.
      CALLED: by a function that calls that one.
      PROGRAM: by code of a module, which says what it passes.
    """

    ALONE = 1
    CALLED = 2
    PROGRAM = 3


def begun_by(it: Interpreter) -> Begun:
    """From where the running code was reached."""
    if it.frame.is_root and it.frame.code is not None:
        return Begun.ALONE
    alone = any(frame.is_root and frame.code is not None for frame in it.active_frames())
    return Begun.CALLED if alone else Begun.PROGRAM

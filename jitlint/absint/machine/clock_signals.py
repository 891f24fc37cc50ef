"""What the machine tells of clocks, and of the work that devices do while host code goes on.

All of it is told of host code only; see :mod:`jitlint.absint.machine.signals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.signals import Signal
from jitlint.absint.values.domain import Transformed, Value

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments


class ClockRead(Signal):
    """A clock is read.

    Args:
      number: of this reading.
      node: what reads it.
    """

    number: int
    node: cst.CSTNode


class TimerStarted(Signal):
    """Something that measures what runs until it is stopped starts: ``timeit``, ``with`` a timer.

    Args:
      timer: the function whose code it runs, if that is one of the project.
      number: of the measurement.
      node: what starts it.
    """

    timer: Code | None
    number: int
    node: cst.CSTNode


class TimerStopped(Signal):
    """It stops; the first arguments are those of :class:`TimerStarted`.

    Args:
      often: whether it has run the same so often that next to nothing of that is left to wait for.
    """

    timer: Code | None
    number: int
    node: cst.CSTNode
    often: bool = False


class Elapsed(Signal):
    """One reading of a clock is subtracted from another.

    Args:
      spans: the pairs of readings that these may be, the earlier one first.
      node: the subtraction.
    """

    spans: frozenset[tuple[int, int]]
    node: cst.CSTNode


class DurationCompared(Signal):
    """A duration is divided, divides something, or is compared with another one.

    Args:
      left: one side.
      right: the other side.
      node: the operation.
    """

    left: Value
    right: Value
    node: cst.CSTNode


class ProgramNeeded(Signal):
    """What a transform made is called, or compiled ahead of time: a program is there from now on.

    Args:
      function: what is called.
      args: what it is given.
      node: the call.
      static: the static arguments, by their positions and names; None where they are not known.
      ahead: whether it is compiled and not run.
    """

    function: Transformed
    args: Arguments
    node: cst.CSTNode
    static: tuple[tuple[int | str, Value], ...] | None = None
    ahead: bool = False


class WorkDispatched(Signal):
    """JAX hands work to a device, and gives arrays before it is done.

    Args:
      name: what does so.
      node: its call.
      program: whether it is a function as a whole, which is compiled, mapped or repeated, and no
        single operation.
      function: that function, where a transform made it.
    """

    name: str
    node: cst.CSTNode
    program: bool = False
    function: Transformed | None = None


class Asked(Signal):
    """Python asks for what arrays hold, so that it waits if any of the values is one.

    Args:
      values: what is asked.
      nodes: where each stands; there may be fewer.
    """

    values: Sequence[Value]
    nodes: Sequence[cst.CSTNode]


class LibraryCalled(Signal):
    """A function or method of another library is called.

    Args:
      name: its qualified name.
      args: what it is given.
      node: the call.
    """

    name: str
    args: Arguments
    node: cst.CSTNode


class NotFollowed(Signal):
    """A function of the project is called, and nobody looks into it.

    Args:
      code: of the function.
      args: what it is given, the receiver of a method first.
      node: the call.
    """

    code: Code
    args: Arguments
    node: cst.CSTNode


class Yielded(Signal):
    """A generator hands out a value: whoever takes it runs now."""

    node: cst.CSTNode

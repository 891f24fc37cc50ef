"""What is known of a call that hands work to a device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import libcst as cst
from msgspec import Struct

from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.measurement.compile_spans import surely_compiles
from jitlint.absint.detectors.measurement.light_programs import is_free_of_loops
from jitlint.absint.detectors.measurement.pending_work import Path, Span, Work, Works, loops_of
from jitlint.absint.events import VaryingShapeArgument, event_key
from jitlint.absint.values.domain import Transformed, base_function
from jitlint.jaxmodel.transforms import COMPILING

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


class Dispatch(Struct, frozen=True, eq=False):
    """Where work was dispatched.

    Args:
      place: where.
      path: from where that was called.
      loops: the loops around it.
      program: whether a function as a whole was called, and no single operation.
      by_operations: whether JAX was given the operations of that function one by one.
      function: that function, where a transform made it.
      turns: how many turns all of the loops around it have, None where that is not known.
      from_host: whether it is given an array of NumPy, which gets to the device as it waits.
      anew: whether each turn of the innermost loop around it compiles it anew.
    """

    place: Place
    path: Path
    loops: frozenset[int]
    program: bool
    by_operations: bool
    function: Transformed | None
    turns: int | None
    from_host: bool
    anew: bool


def is_compiled_anew(it: Interpreter, function: Transformed, node: cst.CSTNode) -> bool:
    """Whether the innermost loop around a call makes the function in each turn, or its size."""
    base, loops = base_function(function), it.frame.enclosing_loops
    if function.transform not in COMPILING:
        return False
    if event_key(node, VaryingShapeArgument) in it.events:
        return True
    made = None if base is None else base.code.node
    return bool(loops) and made is not None and it.frame.parsed.holds(loops[-1], made)


def is_eager(dispatch: Dispatch) -> bool:
    """Whether some work is no function that is jitted as a whole."""
    return dispatch.function is None or dispatch.function.transform not in COMPILING


def is_first(it: Interpreter, work: Work, dispatch: Dispatch) -> bool:
    """Whether some work is a first call, which compiles before it returns.

    Also if a few more calls follow it, or each turn of a loop compiles another program.
    """
    if dispatch.function is None:
        return False
    if dispatch.anew:
        return True
    if dispatch.turns is None:
        return False
    if not dispatch.loops.isdisjoint(loops_of([*it.active_frames()])):
        # The turns after the first one find what that has compiled.
        return False
    return surely_compiles(it, work)


def is_short(it: Interpreter, dispatch: Dispatch) -> bool:
    """Whether what some work runs takes far less than its compilation."""
    return dispatch.function is not None and is_free_of_loops(it, dispatch.function)


def is_tail(it: Interpreter, span: Span, works: Works, known: Mapping[Work, Dispatch]) -> bool:
    """Whether what is pending is short beside what was waited for: the last step of a long job.

    Programs without loops, each of them dispatched once, behind others that run loops, or that a
    loop dispatches (observed: a report's energy is 3 % of the steps before it, one evaluation a
    thousandth of the rounds).
    """

    def is_long(work: Work) -> bool:
        dispatch = known.get(work)
        if dispatch is None or not dispatch.program:
            return False
        function = dispatch.function
        repeated = not dispatch.loops <= span.loops
        return repeated or function is None or not is_free_of_loops(it, function)

    pending = all(work in known and known[work].program and not is_long(work) for work in works)
    return pending and any(is_long(work) for work in span.programs if work in span.done)

"""What reaches beyond the trace that runs: a tracer leaks, a Python value is stored only once.

Whether something lies outside is decided by when it was made: every object of the heap carries the
number of the trace that made it, and what is older than a trace is outside of it.  Stored there, a
tracer leaks from any trace; a Python value is stored once and not again when the trace is cached.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any, Final

import libcst as cst

from jitlint.absint.detectors.effects.identities import is_identity
from jitlint.absint.detectors.effects.restoring import (
    is_counted_back,
    is_handed_on,
    is_refilled_above,
    is_restored,
    is_undone,
)
from jitlint.absint.detectors.effects.set_again import is_set_again
from jitlint.absint.detectors.surroundings.filling import (
    is_eviction,
    is_guarded,
    is_guarded_above,
    is_leaving,
    is_memo,
)
from jitlint.absint.detectors.surroundings.single_runs import runs_once_for_itself
from jitlint.absint.detectors.surroundings.traces import gives_shapes
from jitlint.absint.detectors.surroundings.written import asked_once
from jitlint.absint.events import Effect
from jitlint.absint.machine.frames import Frame, Trace
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.values.domain import (
    REPORTED,
    Array,
    Certainty,
    Class,
    Level,
    ModuleValue,
    Ref,
    Tree,
    TreeStructure,
    Value,
)
from jitlint.absint.values.heap import EAGER, Instance, Variables
from jitlint.absint.values.traversal import parts_of

#: made before every trace
BEFORE: Final = 0


def cached_trace(it: Interpreter) -> Trace | None:
    """The outermost trace whose Python code does not run again, None if there is none."""
    if not it.frame.context.cached or EAGER in it.state.assumed:
        return None
    *_, found = (None, *takewhile(lambda trace: trace.cached, it.traces()))
    return found


def _trace_of(it: Interpreter, value: Array | Tree) -> Trace | None:
    """The trace that a tracer belongs to: the one it was made in, as far as that is known."""
    trace = it.trace
    number = value.trace if isinstance(value, Array) else 0
    while trace is not None and trace.outer is not None and trace.number > number:
        trace = trace.outer
    return trace


def _is_refused(it: Interpreter, value: Value) -> bool:
    """Whether making a value, or something that it holds, certainly raises, as is reported."""
    holder = it.contents(value) if isinstance(value, Ref) else value
    return value == REPORTED or REPORTED in parts_of(holder)


def escapes(
    it: Interpreter, born: int, value: Value | None, node: cst.CSTNode | None = None
) -> tuple[bool, Array | Tree | None]:
    """Whether storing a value in an object made in trace ``born`` is of note: (it is, tracer)."""
    if it.trace is None or EAGER in it.state.assumed:
        return False, None
    if value is not None and _is_refused(it, value):
        # It is not made, let alone stored.
        return False, None
    if isinstance(value, TreeStructure):
        # How a program's result is put together, which only its trace tells.
        return False, None
    tracer = None if value is None else find_traced(it, value, least=Level.VALUE)
    if tracer is not None and tracer.certainty is Certainty.GUESS:
        # A change that happens once is of note, whatever is stored.
        tracer = None
    if tracer is not None:
        home = _trace_of(it, tracer)
        if home is not None and born < home.number:
            it.reached_out += 1
            kept = node is None or not is_restored(it.frame, node)
            return kept and not is_set_again(it, home), tracer
    if born >= it.trace.number or (node is not None and _is_meant(it.frame, node)):
        return False, None
    # From here on the traces and calls around this code matter.
    it.reached_out += 1
    cached = cached_trace(it)
    once = cached is not None and born < cached.number
    return once and (node is None or not _is_meant_above(it, node)), None


@asked_once
def _is_meant(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether the code itself shows that it wants to store something once per trace.

    Filling what is still missing is meant to happen once; what is undone does not last.
    """
    return (
        is_restored(frame, node)
        or is_guarded(frame, node)
        or is_undone(frame, node)
        or is_counted_back(frame, node)
        or is_handed_on(frame, node)
        or is_memo(frame, node)
        or is_eviction(frame, node)
        or is_identity(frame, node)
    )


def _is_meant_above(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether the traces and calls around the code show it.

    A body that is made anew for its one transform is traced as often as that runs.
    """
    fresh = it.trace is not None and it.trace.fresh
    return fresh or is_guarded_above(it) or is_leaving(it) or is_refilled_above(it, node)


def birth_of_place(it: Interpreter, node: cst.CSTNode) -> int | None:
    """In which trace the frame or object was made that holds a name, an attribute or an item.

    Of a local name of the running function that says nothing.
    """
    frame = it.frame
    if isinstance(node, cst.Name):
        local = it.contents(frame.env)
        if isinstance(local, Variables) and node.value in local:
            return None
        for env in frame.closure:
            variables = it.contents(env)
            if isinstance(variables, Variables) and node.value in variables:
                return it.made_in.get(env, BEFORE)
        return BEFORE
    if isinstance(node, cst.Subscript):
        holder = it.ev(node.value)
        return it.made_in.get(holder.id, BEFORE) if isinstance(holder, Ref) else None
    if isinstance(node, cst.Attribute):
        owner = it.ev(node.value)
        if isinstance(owner, Ref) and isinstance(it.contents(owner), Instance):
            return it.made_in.get(owner.id, BEFORE)
        if isinstance(owner, (Class, ModuleValue)):
            return BEFORE
    return None


def note_effect(
    it: Interpreter,
    event: type[Effect],
    node: cst.CSTNode,
    operand: cst.CSTNode | str,
    tracer: Array | Tree | None,
    **details: Any,
) -> None:
    """Record an effect, with the tracer that takes part in it, if one does.

    Where a function is only looked at, nothing runs later that would have the effect; where a
    program makes it for one call, that is as often as it is wanted.  A tracer that is shown or left
    behind is another matter.
    """
    *_, outermost = it.traces()
    cached = cached_trace(it)
    if tracer is None and (
        gives_shapes(it, outermost) or (cached is not None and runs_once_for_itself(it, cached))
    ):
        return
    it.note(
        event,
        node,
        operand=operand,
        value=tracer,
        traced=tracer is not None,
        cached=cached is not None,
        **details,
    )

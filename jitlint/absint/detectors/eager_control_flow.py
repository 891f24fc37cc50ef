"""Watches control flow that host code runs: it compiles by itself, once for each function object.

What is noted is judged together with jitted functions
(:mod:`jitlint.absint.detectors.jit_verdicts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.detectors.filling import is_guarded
from jitlint.absint.detectors.freshness import dependencies, flow_freshness
from jitlint.absint.detectors.jit_sites import JitSite, JitUses, Kind
from jitlint.absint.detectors.loop_variables import bound_in_loops
from jitlint.absint.detectors.paths import lasting_loops
from jitlint.absint.machine.signals import ControlFlowCalled, observes
from jitlint.absint.values.domain import (
    BoundMethod,
    Class,
    External,
    Function,
    Partial,
    Transformed,
    Value,
    base_function,
    members_of,
)
from jitlint.jaxmodel.transforms import WRAPS_ANEW

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


@observes(ControlFlowCalled)
def _control_flow_called(it: Interpreter, called: ControlFlowCalled) -> None:
    frame, node = it.frame, called.node
    loops = lasting_loops(frame, node)
    for function, argument in called.functions:
        made, repeated, _ = _freshness(it, called, function, argument, loops)
        if made is None or (loops and _varies_in_loop(it, function)):
            continue
        uses = it.observations(JitUses)
        known = uses.sites.get(id(node))
        if known is not None:
            known.repeated = known.repeated or repeated
            continue
        uses.called_by[id(node)] = {frame.code}
        uses.places[id(node)] = it.place(node)
        uses.sites[id(node)] = JitSite(
            kind=Kind.CONTROL_FLOW,
            place=it.place(node),
            owner=frame.code,
            qualname=frame.qualname,
            chain=frame.chain,
            operand=it.text(node if argument is None else argument),
            callee=called.transform,
            fresh=made,
            loop=loops[-1] if loops else None,
            repeated=repeated,
            guarded=is_guarded(frame, node),
            depends=dependencies(frame.code, function, argument),
            in_test=frame.in_test,
        )


def _freshness(
    it: Interpreter,
    called: ControlFlowCalled,
    function: Value,
    argument: cst.CSTNode | None,
    loops: list[cst.CSTNode],
) -> tuple[str | None, bool, bool]:
    """What is new: (its kind, in each turn of the loops, in each call of the function around)."""
    around = frozenset(map(id, loops))
    made, repeated, per_call = flow_freshness(it, function, argument, around)
    if called.transform in WRAPS_ANEW and not (made and (repeated or not around)):
        return "wrapper", bool(around), True
    if _is_kept(it, function) or not (repeated or per_call):
        return None, False, False
    return made, repeated, per_call


def _is_kept(it: Interpreter, function: Value) -> bool:
    """Whether a function is one of those that are stored somewhere, or given by a cache."""
    base = base_function(function)
    if base is None or base.closure[:1] == (it.frame.env,):
        return False
    return base.code in it.observations(JitUses).kept_functions


def _varies_in_loop(it: Interpreter, function: Value) -> bool:
    """Whether each turn gives control flow another function, which needs another program.

    That is so of ``for loss in losses: scan(lambda w, x: (w - loss(w, x), None), ...)``, and of a
    factory that is called with something of the kind.
    """
    base = base_function(function)
    if base is None or not base.closure or base.code.node is None:
        return False
    bound = bound_in_loops(it)
    own = base.closure[0] == it.frame.env
    variables = it.contents(base.closure[0]) or {}
    return any(
        isinstance(member, _BEHAVIOUR)
        for name in base.code.free_names
        if name in variables and (not own or name in bound)
        for member in members_of(variables[name])
        if not (own and _is_made_in_turn(it, member))
    )


def _is_made_in_turn(it: Interpreter, value: Value) -> bool:
    """Whether a function that the code of a loop defines is the same code in every turn."""
    base = base_function(value)
    return base is not None and base.closure[:1] == (it.frame.env,)


_BEHAVIOUR = (BoundMethod, Class, External, Function, Partial, Transformed)

"""Watches control flow that host code runs: it compiles by itself, once for each function object.

What is noted is judged together with jitted functions
(:mod:`jitlint.absint.detectors.compilation.jit_verdicts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.detectors.compilation.jit_sites import JitSite, JitUses, Kind
from jitlint.absint.detectors.compilation.reached import begun_by
from jitlint.absint.detectors.sizes.made import is_made_by_turn, made_sizes, passed_on
from jitlint.absint.detectors.surroundings.choices import settings_for
from jitlint.absint.detectors.surroundings.filling import is_guarded
from jitlint.absint.detectors.surroundings.loop_variables import bound_in_loops, loop_targets
from jitlint.absint.detectors.surroundings.paths import lasting_loops
from jitlint.absint.detectors.variants.fixed_values import fixed_parameters, varies_with_loops
from jitlint.absint.detectors.variants.freshness import (
    called_names,
    dependencies,
    flow_freshness,
    origins_of,
    shaping_names,
)
from jitlint.absint.machine.signals import ControlFlowCalled, observes
from jitlint.absint.program.hooks import hooks_of
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    Class,
    Default,
    External,
    Function,
    Partial,
    Transformed,
    Value,
    base_function,
    members_of,
)
from jitlint.jaxmodel.transforms import COMPILING, WRAPS_ANEW

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter


@observes(ControlFlowCalled)
def _control_flow_called(it: Interpreter, called: ControlFlowCalled) -> None:
    node = called.node
    if any(_is_handed_out(it, active) for active in it.active_frames()):
        return
    for given, argument in called.functions:
        function = _within_jit(given)
        frame, within = _made_in(it, function, node)
        loops = lasting_loops(frame, within)
        made, repeated, _ = _freshness(it, called, function, argument, frame, loops)
        if made is None or (repeated and _varies_in_loop(it, loops, within, function)):
            continue
        uses = it.observations(JitUses)
        known, begun = uses.sites.get(id(node)), begun_by(it)
        if known is not None:
            known.repeated = known.repeated or repeated
            if known.begun < begun:
                known.begun = begun
                known.depends = _dependencies(it, frame, function, argument)
                known.sized = _sized(it, function, node)
            continue
        uses.add(
            node,
            JitSite(
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
                guarded=is_guarded(frame, within),
                depends=_dependencies(it, frame, function, argument),
                in_test=frame.in_test,
                sized=_sized(it, function, node),
                begun=begun,
                settings=settings_for(frame, within),
                fixed=fixed_parameters(it, frame.code, function, None, ()),
            ),
        )


def _within_jit(function: Value) -> Value:
    """The function itself of one that is jitted besides: control flow compiles it all the same."""
    while type(function) is Transformed and function.transform in COMPILING:
        function = function.function
    return function


def _sized(it: Interpreter, function: Value, node: cst.CSTNode) -> frozenset[str]:
    """What the sizes follow of what control flow works with."""
    return made_sizes(it, function, _arguments(node)) | passed_on(it, _arguments(node))


def _made_in(it: Interpreter, function: Value, node: cst.CSTNode) -> tuple[Frame, cst.CSTNode]:
    """The activation that has made a function, and where in its code that is called.

    ``vmap(follow)(starts)`` calls control flow in ``follow`` with what was defined beside that:
    both are new in each call of the function around.

    Args:
      it: the interpreter, where control flow is called.
      function: what control flow is given.
      node: the call.
    """
    frame, place = it.frame, node
    if not isinstance(function, Function):
        return frame, place
    while function.closure[:1] != (frame.env,):
        if frame.chain is None or frame.parent is None or frame.closure[:1] != (frame.parent.env,):
            return it.frame, node
        place, frame = frame.chain.step.place.node, frame.parent
    return frame, place


def _is_handed_out(it: Interpreter, frame: Frame) -> bool:
    """Whether what runs started with a function that somebody else has, and nobody calls.

    Whoever has it may well call it in a trace: a function that another one makes, as the update
    rule of an optimizer; a method of a class whose decorator goes over its methods.
    """
    code = frame.code
    if not frame.is_root or code is None:
        return False
    owner = code.unit.cls
    of_class = owner is not None and hooks_of(it, Class(owner, code.module)).methods
    return of_class or code.qualname != code.unit.qualname


def _freshness(
    it: Interpreter,
    called: ControlFlowCalled,
    function: Value,
    argument: cst.CSTNode | None,
    frame: Frame,
    loops: list[cst.CSTNode],
) -> tuple[str | None, bool, bool]:
    """What is new: (its kind, in each turn of the loops, in each call of the function around)."""
    around = frozenset(map(id, loops))
    made, repeated, per_call = flow_freshness(it, called.transform, function, argument, around)
    if made is not None and frame is not it.frame:
        # It was made by the function that the running one is nested in.
        repeated, per_call = bool(around & it.lifetime(function)[1]), True
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


def _dependencies(
    it: Interpreter, frame: Frame, function: Value, argument: cst.CSTNode | None
) -> frozenset[str]:
    """The parameters of a function for which another argument needs another program."""
    code = frame.code
    if code is None or code.node is None:
        return frozenset()
    shaping = it.written(shaping_names, code.node)
    shapes = frozenset(p.name for p in code.parameters if p.name in shaping)
    handed_on = _handed_on(it, frame, function, argument)
    return dependencies(it, code, function, argument) | shapes | handed_on


def _handed_on(
    it: Interpreter, frame: Frame, function: Value, argument: cst.CSTNode | None
) -> frozenset[str]:
    """The parameters of a function that make what runs, or that it hands on."""
    code, base = frame.code, base_function(function)
    assert code is not None
    parameters = {parameter.name for parameter in code.parameters}
    if base is None or base.closure[:1] != (frame.env,):
        return origins_of(code, argument)
    variables = it.contents(frame.env) or {}
    return frozenset(
        name
        for name in base.code.free_names
        if name in parameters and any(map(_behaves, members_of(variables.get(name, UNKNOWN))))
    )


def _behaves(value: Value) -> bool:
    return isinstance(value.value if isinstance(value, Default) else value, _BEHAVIOUR)


def _varies_in_loop(
    it: Interpreter, loops: list[cst.CSTNode], node: cst.CSTNode, function: Value
) -> bool:
    """Whether each turn gives control flow another function, or shape, that needs a program.

    That is so of ``for loss in losses: scan(lambda w, x: (w - loss(w, x), None), ...)``, and of a
    factory that is called with something of the kind; also of ``for size in sizes`` where arrays of
    that size are made.
    """
    for loop in loops:
        # A comprehension is known by its `for`, and the call stands in front of that.
        turn = node if isinstance(loop, cst.CompFor) else loop
        if not it.written(shaping_names, turn).isdisjoint(it.written(loop_targets, loop)):
            return True
    if varies_with_loops(it, function, ()) or is_made_by_turn(it, loops, _arguments(node)):
        return True
    base = base_function(function)
    if base is None or not base.closure or base.code.node is None:
        return False
    bound = bound_in_loops(it)
    if not bound.isdisjoint(it.written(called_names, base.code.node)):
        return True
    own = base.closure[0] == it.frame.env
    variables = it.contents(base.closure[0]) or {}
    return any(
        isinstance(member, _BEHAVIOUR)
        for name in base.code.free_names
        if name in variables and (not own or name in bound)
        for member in members_of(variables[name])
        if not (own and _is_made_in_turn(it, member))
    )


def _arguments(node: cst.CSTNode) -> list[cst.BaseExpression]:
    return [arg.value for arg in node.args] if isinstance(node, cst.Call) else []


def _is_made_in_turn(it: Interpreter, value: Value) -> bool:
    """Whether a function that the code of a loop defines is the same code in every turn."""
    base = base_function(value)
    return base is not None and base.closure[:1] == (it.frame.env,)


_BEHAVIOUR = (BoundMethod, Class, External, Function, Partial, Transformed)

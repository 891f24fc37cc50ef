"""Arguments whose shape is another one in every turn of a loop: JAX compiles for each of them.

Observed under JAX 0.10.2: five programs in five turns for an array that grows, a slice that follows
a counter, a list that is appended to (a pytree of another structure), and what a mask selects; two
for batches of which the last is smaller; one for windows of one length and for what is padded.
What callers make longer, or call again, is judged at the end, when the calls are known
(:mod:`.jit_verdicts`).
"""

from __future__ import annotations

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.code.syntax import walk
from jitlint.absint.detectors.compilation.eager_calls import is_sweep, is_within_trace
from jitlint.absint.detectors.compilation.jit_sites import (
    EVERY_TIME,
    JitSite,
    JitUses,
    Kind,
)
from jitlint.absint.detectors.compilation.traced_arguments import called_name
from jitlint.absint.detectors.sizes import (  # noqa: F401
    calls,
    elements,
    expressions,
    numbers,
)
from jitlint.absint.detectors.sizes.listed import LISTED, listed_names
from jitlint.absint.detectors.sizes.made import is_made_by_turn, made_sizes
from jitlint.absint.detectors.sizes.questions import Change, How, change_of_size
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.clocks import measures
from jitlint.absint.detectors.surroundings.filling import is_guarded
from jitlint.absint.detectors.surroundings.loop_counters import counters, is_short
from jitlint.absint.detectors.surroundings.paths import call_of, lasting_loops, names_in
from jitlint.absint.events import VaryingShapeArgument
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, FunctionCalled, observes
from jitlint.absint.values.domain import Origin, Transformed, base_function
from jitlint.jaxmodel.transforms import COMPILING


class _Asked(Struct, eq=False):
    """The arguments of which it is known how they hang on what callers pass."""

    nodes: set[int] = field(default_factory=set)

    def fork(self) -> _Asked:
        """For an analysis that goes on from here."""
        return _Asked()


_LITERALS = (cst.Integer, cst.Float, cst.BaseString)


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    node = passed.node
    if passed.static or passed.function.transform not in COMPILING or is_within_trace(it):
        return
    if not isinstance(node, cst.BaseExpression) or isinstance(node, _LITERALS):
        return
    frame = it.frame
    _note_listed(it, passed.function, node)
    if frame.in_test or not it.running or (not frame.enclosing_loops and frame.code is None):
        # Tests compile for each size on purpose, and so does who compiles ahead.
        return
    loops = lasting_loops(frame, node) if frame.enclosing_loops else []
    for depth, loop in enumerate(loops):
        if is_short(it, it.written(counters, loop)):
            continue
        change = change_of_size(Scope.of_frame(it, loop, outermost=not depth), node)
        if change is not None:
            if not is_sweep(it, loops[0], node) and not is_guarded(frame, node):
                _note(it, passed, node, change)
            return
    if frame.code is not None and frame.code.node is not None:
        _for_callers(it, passed, node, frame.code.node)


@observes(FunctionCalled)
def _function_called(it: Interpreter, called: FunctionCalled) -> None:
    """A function of the project is handed a jitted one, and what to call it with."""
    node = called.node
    if not isinstance(node, cst.Call) or it.trace is not None:
        return
    for value in (*called.args.positional, *called.args.keywords.values()):
        if type(value) is Transformed and value.transform in COMPILING:
            for arg in node.args:
                _note_listed(it, value, arg.value)


def _note_listed(it: Interpreter, function: Transformed, node: cst.BaseExpression) -> None:
    """What is made here is given sizes that the code lists: it is compiled for each of them."""
    frame = it.frame
    sites = it.observations(JitUses).sites
    _note_listed_at(it, sites.get(id(function.place.node)), node)
    has_static = any(name.startswith("static") for name, _ in function.options)
    if has_static and frame.code is not None and frame.code.node is not None:
        # What is made for this one call is compiled for with these sizes, too.
        for inner in walk(_call(it, node)):
            site = sites.get(id(inner))
            if site is not None and site.kind is Kind.STATIC_ARGUMENT:
                _note_listed_at(it, site, node)


def _note_listed_at(it: Interpreter, site: JitSite | None, node: cst.BaseExpression) -> None:
    frame, loops = it.frame, it.frame.enclosing_loops
    if site is None or site.fresh is None:
        return
    if site.owner is not frame.code:
        around = _maker_of(it, site, node)
        if around is not None:
            with it.entered(around):
                _note_listed_at(it, site, node)
        return
    if site.loop is not None and is_made_by_turn(it, loops, [node]):
        site.sized |= {EVERY_TIME}
    else:
        site.sized |= made_sizes(it, None, [node])
    if site.loop is not None:
        if all(_is_listed(Scope.of_frame(it, loop, listed=True), node) for loop in loops):
            site.sized |= {EVERY_TIME}
    elif frame.code is not None and frame.code.node is not None:
        scope = Scope.of_frame(it, frame.code.node, listed=True)
        change_of_size(scope, node)
        site.sized |= {f"{LISTED} {asked}" for asked in scope.asked}


def _maker_of(it: Interpreter, site: JitSite, node: cst.BaseExpression) -> Frame | None:
    """Where the function runs that has made what is called, and what calls it with its own names.

    ``timed(lambda: step(x))``, beside ``step = jax.jit(...)``.
    """
    code, closure = it.frame.code, it.frame.closure
    if code is None or not closure or not {*names_in(node)}.isdisjoint(code.bound_names):
        return None
    active = (frame for frame in it.active_frames() if frame.env == closure[0])
    return next((frame for frame in active if frame.code is site.owner), None)


def _is_listed(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an argument follows the sizes, or the devices, that a loop goes through."""
    change = change_of_size(scope, node)
    return change is not None and (change.how is How.PLACED or bool(listed_names(scope)))


def _note(
    it: Interpreter, passed: ArgumentPassed, node: cst.BaseExpression, change: Change
) -> None:
    call = _call(it, node)
    it.note(
        VaryingShapeArgument,
        call,
        operand=node,
        origin=_shown(change),
        callee=_called(it, passed, call),
        how=change.how.value,
        subject=change.subject,
        caller=None,
    )


def _called(it: Interpreter, passed: ArgumentPassed, call: cst.CSTNode) -> str:
    """The function that is compiled: by its name, or else as the call has it."""
    if base_function(passed.function) is None and isinstance(call, cst.Call):
        return it.text(call.func)
    return called_name(passed.function)


def _shown(change: Change) -> Origin | None:
    """Where something grows: that need not be near the call."""
    if change.how is not How.GROWS:
        return None
    return Origin(change.place, f"`{change.subject}` is of another length after this")


def _call(it: Interpreter, node: cst.BaseExpression) -> cst.CSTNode:
    """The call that an argument stands in: it is compiled once for all that is passed."""
    frame = it.frame
    around = frame.parsed.statement if frame.code is None else frame.code.node
    return node if around is None else call_of(around, node) or node


def _is_measured_for_others(it: Interpreter, call: cst.CSTNode, function: cst.CSTNode) -> bool:
    """Whether a function measures what it is given to call: ``bench(function, x, repeats)``.

    Who calls it with other sizes wants to know what each of them costs.
    """
    code = it.frame.code
    return (
        code is not None
        and isinstance(call, cst.Call)
        and isinstance(call.func, cst.Name)
        and call.func.value in code.parameter_names
        and measures(it, function)
    )


def _for_callers(
    it: Interpreter, passed: ArgumentPassed, node: cst.BaseExpression, function: cst.CSTNode
) -> None:
    """What is passed changes with the arguments of the function around, or with its calls."""
    asked_once = it.observations(_Asked).nodes
    if id(node) in asked_once:
        return
    asked_once.add(id(node))
    frame = it.frame
    scope = Scope.of_frame(it, function)
    change = change_of_size(scope, node)
    asked = frozenset() if change is not None else frozenset(scope.asked)
    if (change is None and not asked) or is_guarded(frame, node):
        return
    call = _call(it, node)
    if _is_measured_for_others(it, call, function):
        return
    uses = it.observations(JitUses)
    fresh = None if change is None else f"{change.how.value}: {change.subject}"
    known = uses.sites.get(id(call))
    if known is not None:
        # It is enough that one of its arguments changes.
        known.depends = known.depends | asked if known.depends and asked else frozenset()
        known.fresh = known.fresh or fresh
        return
    place = it.place(call)
    uses.add(
        call,
        JitSite(
            kind=Kind.ARGUMENT_SHAPE,
            place=place,
            owner=frame.code,
            qualname=frame.qualname,
            chain=frame.chain,
            operand=it.text(node),
            callee=_called(it, passed, call),
            fresh=fresh,
            depends=asked,
            in_test=frame.in_test,
        ),
    )

"""Which places make a jitted function again and again, once all visible calls are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import libcst as cst
from msgspec import Struct

from jitlint.absint.code.syntax import walk
from jitlint.absint.detectors.compilation.jit_sites import (
    EVERY_TIME,
    INIT,
    OWN,
    Call,
    JitSite,
    JitUses,
    Kind,
    OnOnePath,
)
from jitlint.absint.detectors.sizes.listed import LISTED, follows_lists
from jitlint.absint.detectors.sizes.made import may_differ_in_size
from jitlint.absint.events import (
    ArrayDeclaredStatic,
    ClearedCache,
    FreshControlFlow,
    JitInLoop,
    JitPerCall,
    VaryingShapeArgument,
    VaryingStaticArgument,
    event_key,
)
from jitlint.absint.limits import CLEARING_LEVELS
from jitlint.foundation.certainty import SEEN
from jitlint.jaxmodel.wording import display_name

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.frames import Chain
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex


class Verdict(Struct, frozen=True):
    """That a place makes a jitted function again and again.

    Args:
      event: what happens there.
      made: what is new each time.
      caller: the function whose calls repeat it, None if a loop around the place does.
      calls: from how many places it is called; 0 if loops count, or what a library does.
      in_test: whether only a test does so.
      per_call: whether it is repeated by calls, and no loop is known.
      around: what has the loop that calls ``caller``, in words of the program.
    """

    event: type[
        JitInLoop
        | JitPerCall
        | FreshControlFlow
        | ClearedCache
        | ArrayDeclaredStatic
        | VaryingStaticArgument
        | VaryingShapeArgument
    ]
    made: str | None
    caller: str | None
    calls: int
    in_test: bool
    per_call: bool = False
    around: str | None = None


def verdicts(
    uses: JitUses, modules: Sequence[ModuleIndex], on_one_path: OnOnePath
) -> Iterator[tuple[int, JitSite, Verdict]]:
    """Find every place that makes a jitted function again and again.

    Args:
      uses: everything that was recorded.
      modules: the indexed modules.
      on_one_path: counts the calls that one run can reach.

    Yields:
      The key of the place, what is known of it, and what is wrong there.
    """
    for key, site in uses.sites.items():
        callers = uses.called_by.get(key)
        if callers is None or key in uses.kept or site.guarded:
            continue
        if site.kind is Kind.STATIC_ARRAY:
            if key not in uses.passed:
                yield key, site, Verdict(ArrayDeclaredStatic, site.fresh, None, 0, site.in_test)
            continue
        if site.kind is Kind.CLEARING:
            cleared = _clearing(uses, site, modules)
            if cleared is not None:
                yield key, site, cleared
            continue
        handed = _HANDED.get(site.kind)
        if handed is not None:
            varied = _handed_by_loops(handed, uses, site, modules)
            if varied is not None:
                yield key, site, varied
            continue
        flow = site.kind is Kind.CONTROL_FLOW
        event = _EVENTS[site.kind]
        owner = site.owner
        if flow and not _compiles_by_itself(uses, owner):
            continue
        if site.kind is Kind.JIT and not uses.may_run_eagerly(owner):
            continue
        # For each of the sizes that a loop lists any function is compiled, by however many lambdas.
        swept = EVERY_TIME in site.sized
        if site.loop is not None and not swept and (site.repeated or site.fresh is None):
            yield key, site, Verdict(event, site.fresh, None, 0, site.in_test)
            continue
        if owner is None:
            continue
        uses.attribute(modules, owner)
        found = (
            uses.call_in_loop(
                owner, site.settings, site.fixed, site.reads, site.depends, eager=flow
            )
            if callers
            else (None, owner)
        )
        repeating, called = found
        if owner.name == INIT and not _makes_like_objects(owner, repeating):
            continue
        if repeating is not None and repeating.caller in site.configured:
            # Each iteration works with something else, which the function closes over.
            continue
        if repeating is not None and repeating.configured and repeating.callee is not owner:
            # Each iteration hands on another model, for which the same function compiles again.
            continue
        own = repeating is not None and repeating.callee is owner
        needed = site.needed(varying=own)
        if repeating is not None and own and needed & (repeating.varies - repeating.alike):
            # Each iteration has another model, or one of its own, which needs another program.
            continue
        if repeating is not None and own and _follows(site, repeating):
            outer = repeating.caller
            if outer is None or uses.call_in_loop(outer)[0] is None:
                continue
        if repeating is not None:
            in_test = site.in_test or repeating.in_test
            name, around = called.qualname, repeating.around
            yield key, site, Verdict(event, site.fresh, name, 0, in_test, around=around)
        elif (
            site.kind in _PER_CALL
            and site.fresh is not None
            and (owner in callers or (site.is_property and callers))
            and not (site.fixed - {"self"} or site.needed(varying=False))
        ):
            repeated = uses.is_repeated(owner)
            count = 0 if repeated else uses.call_count(owner, on_one_path, site)
            if repeated or count > 1:
                per_call = _PER_CALL[site.kind]
                verdict = Verdict(per_call, site.fresh, site.qualname, count, site.in_test, True)
                yield key, site, verdict


def _makes_like_objects(constructor: Code, call: Call | None) -> bool:
    """Whether a loop makes one object after the other, of nothing but what each of them has."""
    return call is not None and call.callee is constructor and not call.varies


def _follows(site: JitSite, call: Call) -> bool:
    """Whether loops around a call may well need a program for each turn."""
    others = call.varies - call.alike
    if site.fresh in _WRAPPERS and any(OWN.format(name) in site.sized for name in others):
        # `for loss in losses: fit(loss)`, and `jit(grad(loss))` in `fit`: each has a program.
        return True
    return follows_lists(site.sized, call.sizes) or may_differ_in_size(site.sized, call.sizes)


#: what is new each time around a function that may well have been there before
_WRAPPERS: Final = frozenset({"partial", "transformed function"})
_LOOPS: Final = (cst.For, cst.While, cst.BaseComp)

#: what places do each time that they are reached again
_EVENTS: Final[dict[Kind, type[JitInLoop | FreshControlFlow | VaryingStaticArgument]]] = {
    Kind.JIT: JitInLoop,
    Kind.CONTROL_FLOW: FreshControlFlow,
    Kind.STATIC_ARGUMENT: VaryingStaticArgument,
}


#: what they do in each of several calls of the function around them, without a loop
_PER_CALL: Final[dict[Kind, type[JitPerCall | VaryingStaticArgument]]] = {
    Kind.JIT: JitPerCall,
    Kind.STATIC_ARGUMENT: VaryingStaticArgument,
}


#: what places do where loops of callers hand them something else in each turn
_HANDED: Final[dict[Kind, type[VaryingShapeArgument | VaryingStaticArgument]]] = {
    Kind.ARGUMENT_SHAPE: VaryingShapeArgument,
    Kind.STATIC_NUMBER: VaryingStaticArgument,
}


def _handed_by_loops(
    event: type[VaryingShapeArgument | VaryingStaticArgument],
    uses: JitUses,
    site: JitSite,
    modules: Sequence[ModuleIndex],
) -> Verdict | None:
    """What is wrong with a call, if loops of callers give what it hands on another size each time.

    Args:
      event: what happens then: arrays of many shapes, or many numbers.
      uses: how functions are called.
      site: the call.
      modules: all modules.
    """
    owner = site.owner
    if owner is None:
        return None
    uses.attribute(modules, owner)
    calls = [call for call in uses.calls.get(owner, {}).values() if call.loop]
    if site.depends:
        calls = [call for call in calls if call.sizes & site.depends]
    elif not calls:
        # What counts its calls has another number in each of them, whoever makes them.
        further, _ = uses.call_in_loop(owner)
        calls = [] if further is None else [further]
    for call in sorted(calls, key=lambda call: call.in_test):
        in_test = site.in_test or call.in_test
        return Verdict(event, site.fresh, owner.qualname, 0, in_test, around=call.around)
    return None


def _clearing(uses: JitUses, site: JitSite, modules: Sequence[ModuleIndex]) -> Verdict | None:
    """What is wrong with a place that throws compiled programs away, if a loop needs them again."""
    if site.loop is not None:
        again = _runs(uses, site, site.holder, loop=True)
        return Verdict(ClearedCache, site.fresh, None, 0, site.in_test) if again else None
    owner = site.owner
    if owner is None or site.fresh != EVERY_TIME:
        return None
    uses.attribute(modules, owner)
    waiting, between = [owner], [owner]
    while waiting:
        for call in uses.calls.get(waiting.pop(), {}).values():
            caller = call.caller
            near = any(_runs(uses, site, code, loop=False) for code in between)
            near = near and (call.callee is owner or not _sizes_follow(call))
            if call.loop and (near or _runs(uses, site, caller, loop=True)):
                in_test = site.in_test or call.in_test
                called = owner if call.callee is None else call.callee
                around = call.around
                return Verdict(ClearedCache, site.fresh, called.qualname, 0, in_test, around=around)
            if caller is not None and caller not in between and len(between) < CLEARING_LEVELS:
                waiting.append(caller)
                between.append(caller)
    return None


def _sizes_follow(call: Call) -> bool:
    """Whether a call in a loop may ask for arrays of another size in each turn."""
    return any(said.startswith(_SIZING) for said in call.sizes)


#: what is said of parameters that may decide a size, each followed by one of them
_SIZING: Final = ("counts ", "number ", "swept ", f"{LISTED} number ", f"{LISTED} size ")


def _runs(uses: JitUses, site: JitSite, holder: Any, *, loop: bool) -> bool:
    """Whether some code calls a function whose programs a place throws away."""
    return any(
        at == holder and (repeats or not loop) and site.clears in (None, key)
        for (at, key), repeats in uses.runs.items()
    )


def _compiles_by_itself(uses: JitUses, owner: Code | None) -> bool:
    """Whether the control flow in a function is known to run outside of traces.

    A function of a package that is traced as well is made for that.
    """
    for_traces = owner in uses.traced and owner not in uses.scripted
    return uses.runs_eagerly(owner) and not for_traces


def emit(it: Interpreter, site: JitSite, verdict: Verdict) -> None:
    """Record the event of a verdict."""
    details: dict[str, Any] = {"made": verdict.made, "caller": verdict.caller}
    if verdict.around is not None:
        details["around"] = verdict.around
    if verdict.event is ArrayDeclaredStatic:
        kind, _, shown_by = (verdict.made or "").partition(": ")
        details = {
            "kind": kind,
            "shown_by": shown_by,
            "optional": site.optional,
            "exceptions": ("ValueError",),
        }
    if verdict.event is VaryingStaticArgument:
        made, parameter, held_in = (verdict.made or "").split(": ")
        calls = verdict.calls if verdict.per_call else None
        details |= {"made": made, "parameter": parameter, "field": held_in}
        details |= {"declared": True, "calls": calls}
    if verdict.event is VaryingShapeArgument:
        how, _, subject = (verdict.made or "").partition(": ")
        details = {"how": how, "subject": subject, "caller": verdict.caller}
    if verdict.event is JitPerCall:
        details["calls"] = verdict.calls
    it.events.setdefault(
        event_key(site.place.node, verdict.event),
        verdict.event(
            place=site.place,
            function=site.qualname,
            chain=(None if _leads_elsewhere(site.chain, verdict) else site.chain, None),
            operand=site.operand,
            in_test=verdict.in_test,
            callee=display_name(site.callee),
            **details,
        ),
    )


def _leads_elsewhere(chain: Chain | None, verdict: Verdict) -> bool:
    """Whether a place was met on a way that has nothing to do with the loop that repeats it.

    What such a way rests on still counts, if that is a guess.
    """
    if chain is None or verdict.around is None:
        return False
    steps = chain.steps()
    return all(step.certainty == SEEN for step in steps) and not any(
        isinstance(node, _LOOPS) and step.place.parsed.holds(node, step.place.node)
        for step in steps
        for node in walk(step.place.parsed.statement)
    )

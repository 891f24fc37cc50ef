"""Notes which host code calls which functions, in which loops and with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.compilation.counted_numbers import counted_parameters
from jitlint.absint.detectors.compilation.handed_functions import (
    as_written,
    closed_over,
    handed,
    held,
    left_to_defaults,
    settings_of_call,
    told_by_call,
)
from jitlint.absint.detectors.compilation.jit_sites import INIT, OWN, Call, JitUses
from jitlint.absint.detectors.compilation.reached import Begun, begun_by
from jitlint.absint.detectors.sizes.listed import listed_parameters
from jitlint.absint.detectors.sizes.made import made_of_data, swept_parameters
from jitlint.absint.detectors.sizes.passed import changing_parameters
from jitlint.absint.detectors.surroundings.choices import set_in_turns, settings_for
from jitlint.absint.detectors.surroundings.filling import is_kept_by_what_lasts, is_used_up
from jitlint.absint.detectors.surroundings.forwarding import forwarded
from jitlint.absint.detectors.surroundings.loop_variables import (
    bound_in_loops,
    given_by_name,
    loops_on_object,
    receiver_at,
    varying_parameters,
)
from jitlint.absint.detectors.surroundings.written import values_in
from jitlint.absint.detectors.variants.configurations import configured_parameters
from jitlint.absint.detectors.variants.fixed_values import handed_on, made_alike, makes_for_sizes
from jitlint.absint.detectors.variants.numeric import is_data
from jitlint.absint.machine.signals import FunctionCalled, observes
from jitlint.project.requests import answers_requests

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.interpreter import Interpreter


@observes(FunctionCalled)
def _function_called(it: Interpreter, called: FunctionCalled) -> None:
    """Host code calls a function of the project."""
    uses, caller = it.observations(JitUses), it.frame.code
    note_requests(it)
    if (caller, called.function.code) in uses.forwards:
        # Whoever calls the wrapper of a decorator calls what it wraps.
        return
    _note_call(it, called, called.node)
    wrapper = called.function.code
    for inner in forwarded(it, called):
        uses.forwards.add((wrapper, inner.function.code))
        _note_call(it, inner, called.node)
        wrapper = inner.function.code


def _note_call(it: Interpreter, called: FunctionCalled, node: cst.CSTNode) -> None:
    """Note a call that stands at a node."""
    caller, callee = it.frame, called.function.code
    if is_kept_by_what_lasts(caller, node) or _is_switched_off(it, callee):
        # However often this runs, it calls that once; or nobody minds what it costs.
        return
    key = (caller.code or caller.module, id(node))
    known = it.observations(JitUses).calls.setdefault(callee, {})
    # A loop that starts threads makes a few workers that last, each with programs of its own.
    loop = node is not it.starting and loops_on_object(it, node)
    # Which of several classes a loop calls a method of is a guess.
    loop = loop and not it.taken and not makes_for_sizes(it, node)
    # An object that others are given may well last.
    loop = loop and (callee.name != INIT or is_used_up(caller, node))
    wraps = closed_over(it, called.function)
    hands = handed(it, called.args) | left_to_defaults(it, called.function, called.args)
    own = (wraps | hands | {callee}) & held(it)
    settings = settings_of_call(it, called.function, called.args)
    seen, launched = known.get(key), begun_by(it) is Begun.PROGRAM
    better = seen is not None and launched and not seen.launched and loop == seen.loop
    if seen is None or better or (loop and not seen.loop):
        written = as_written(called)
        sized = loop and not caller.in_test
        sizes = changing_parameters(it, callee, written) if sized else frozenset()
        if loop:
            sizes |= counted_parameters(it, callee, written)
            sizes |= listed_parameters(it, callee, written)
            sizes |= swept_parameters(it, callee, written)
        sizes |= _own_functions(callee, written)
        alike = made_alike(it, callee, written) if loop else frozenset()
        if loop and not called.function.closure:
            alike |= made_of_data(it, callee, called.args)
        known[key] = seen = Call(
            caller.code,
            callee,
            loop,
            caller.in_test,
            Place(caller.parsed, node),
            varying_parameters(it, callee, written) if loop else frozenset(),
            sizes=sizes,
            in_turns=set_in_turns(it, callee, written) if loop else frozenset(),
            handed_on=handed_on(it, callee, written),
            alike=alike,
            settings=settings if seen is None else seen.settings,
            under=settings_for(caller, node),
            configured=configured_parameters(it, callee, written) if loop else frozenset(),
            receiver=receiver_at(it, callee, node),
            launched=launched or (seen is not None and seen.launched),
            decides=loop and _decides(it, node),
            told=told_by_call(called.function, called.args),
        )
    known[key] = seen.with_more(wraps, hands, own, settings)


def _decides(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a call passes what loops change and no array, or float, may stand for."""
    used = {name for arg in getattr(node, "args", ()) for name in values_in(arg.value)}
    return not all(is_data(it, it.look_up(name)) for name in used & bound_in_loops(it))


def _is_switched_off(it: Interpreter, callee: Code) -> bool:
    """Whether a function is run eagerly by another value of a switch than the one it has.

    ``step = update if no_jit else jax.jit(update)`` is jitted, unless one looks for faults.
    """
    return bool(it.under) and callee in it.observations(JitUses).staged


def _own_functions(callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters for which a call has a lambda, which no other call has."""
    given = given_by_name(callee, node) if isinstance(node, cst.Call) else ()
    return frozenset(OWN.format(name) for name, value in given if isinstance(value, cst.Lambda))


def note_requests(it: Interpreter) -> None:
    """A server calls the function that is running for each of its requests."""
    code = it.frame.code
    if code is None or code.qualname != code.unit.qualname:
        return
    if not it.written(answers_requests, code.unit):
        return
    known = it.observations(JitUses).calls.setdefault(code, {})
    key = code.module, id(code)
    if key not in known and code.node is not None and code.parsed is not None:
        place = Place(code.parsed, code.node)
        known[key] = Call(None, code, False, it.frame.in_test, place, repeats=True)

"""What libraries do with the functions that host code hands them: call, keep or trace them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.code.syntax import called_name
from jitlint.absint.detectors.compilation.handed_functions import closed_over, handed, held
from jitlint.absint.detectors.compilation.jit_lifetimes import note_caller, note_kept
from jitlint.absint.detectors.compilation.jit_sites import LAUNCHED, Call, JitUses
from jitlint.absint.detectors.surroundings.filling import is_collected
from jitlint.absint.detectors.surroundings.loop_variables import loops_on_object
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import LibraryCalled
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.signals import UnknownCalled, observes
from jitlint.absint.values.domain import UNKNOWN, Function, Transformed, Value, base_function
from jitlint.jaxmodel.functions import lookup
from jitlint.jaxmodel.repetition import calls_at_once, handler_of, launches, maps, repeats

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


@observes(LibraryCalled)
def _library_called(it: Interpreter, called: LibraryCalled) -> None:
    """Host code hands functions to a library, which calls them again and again, or starts them."""
    again = repeats(called.name)
    if again or launches(called.name):
        for value in called.args.values():
            _handed_over(it, value, called.node, repeats=again)
            if again:
                _run_lambda(it, value, called.node)
    if it.trace is None and calls_at_once(called.name) and not is_collected(it.frame, called.node):
        for value in called.args.values():
            if isinstance(value, Transformed):
                note_caller(it, value)
    known = it.row(called.name) or lookup(called.name)
    if called.name.startswith("jax.") and known is None:
        # What JAX does with functions under a name that nobody knows is most likely to trace them.
        handed_in = filter(None, map(base_function, called.args.values()))
        it.observations(JitUses).traced.update(function.code for function in handed_in)
    _held_by_others(it, called.args, called.node)


def _run_lambda(it: Interpreter, value: Value, node: cst.CSTNode) -> None:
    """A lambda runs where it is handed over; functions that stand in others run in any case."""
    if it.trace is not None or not isinstance(value, Function):
        return
    if isinstance(value.code.node, cst.Lambda):
        with suppress(Terminated), it.branch(it.state.copy()):
            it.call(value, Arguments(star=UNKNOWN), node)


def _handed_over(it: Interpreter, value: Value, node: cst.CSTNode, *, repeats: bool = True) -> None:
    function = base_function(value)
    if function is None or isinstance(value, Transformed):
        return
    caller, callee = it.frame, function.code
    known = it.observations(JitUses).calls.setdefault(callee, {})
    place = Place(caller.parsed, node)
    # A program is started once, in whichever of several places.
    key = (caller.code or caller.module, id(node) if repeats else LAUNCHED)
    if key not in known:
        known[key] = Call(caller.code, callee, False, caller.in_test, place, repeats=repeats)
    wraps = closed_over(it, function)
    known[key] = known[key].with_more(wraps, frozenset(), (wraps | {callee}) & held(it))


def _held_by_others(it: Interpreter, args: Arguments, node: cst.CSTNode) -> None:
    """An object of a class that nobody follows holds the jitted functions that it is given.

    Where that is kept, so are they: ``limits.append(NonlinearConstraint(jitted, low, up))``.
    """
    name = called_name(node) if isinstance(node, cst.Call) else ""
    jitted = [value for value in args.values() if isinstance(value, Transformed)]
    if jitted and name[:1].isupper() and it.trace is None and is_collected(it.frame, node):
        for value in jitted:
            note_kept(it, value)


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    """Host code calls a method of an object that is not known."""
    node = called.node
    _held_by_others(it, called.args, node)
    if it.trace is None and isinstance(node, cst.Call) and called.args.positional:
        method = node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
        position = 0 if maps(method) else handler_of(method)
        if position is not None and position < len(called.args.positional):
            _handed_over(it, called.args.positional[position], node)
    if it.trace is None and isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        caller, name = it.frame, node.func.attr.value
        key = (caller.code or caller.module, id(node))
        known = it.observations(JitUses).method_calls.setdefault(name, {})
        loop = loops_on_object(it, node)
        if loop or key not in known:
            place = Place(caller.parsed, node)
            known[key] = Call(caller.code, None, loop, caller.in_test, place)
        hands = handed(it, called.args)
        known[key] = known[key].with_more(frozenset(), hands, hands & held(it))

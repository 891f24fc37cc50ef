"""Watches host code that throws away what JAX has compiled, and what it then calls again.

Observed under JAX 0.10.2: ``jax.clear_caches()`` forgets the programs of every jitted function,
``f.clear_cache()`` those of ``f``; each compiles again at its next call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.code.syntax import children, walk_own
from jitlint.absint.detectors.compilation.jit_sites import EVERY_TIME, JitSite, JitUses, Kind
from jitlint.absint.detectors.surroundings.clocks import clock_named
from jitlint.absint.detectors.surroundings.loop_variables import loop_targets
from jitlint.absint.detectors.surroundings.paths import lasting_loops
from jitlint.absint.detectors.variants.freshness import shaping_names
from jitlint.absint.machine.signals import CacheCleared, TransformedCalled, observes
from jitlint.absint.values.domain import UNKNOWN, Transformed, members_of
from jitlint.absint.values.statics import python_type
from jitlint.jaxmodel.host_code import CLOCK_WORDS
from jitlint.jaxmodel.transforms import COMPILING

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

_CLOCK_WORDS: Final = CLOCK_WORDS - {"time", "now"}
#: the longest period in turns that is still told
_FEW_TURNS: Final = 10
_CHOICES = (cst.If, cst.IfExp, cst.BooleanOperation, cst.Match, cst.ExceptHandler)


@observes(TransformedCalled)
def _called(it: Interpreter, called: TransformedCalled) -> None:
    """A jitted function is called: does a loop call it that leaves it as it is?"""
    function = called.function
    if called.maker is not None or function.transform not in COMPILING:
        return
    uses, frame, key = it.observations(JitUses), it.frame, id(function.place.node)
    holder = _holder(it)
    if holder is None:
        return
    uses.places[key] = function.place
    site = uses.sites.get(key)
    made_here = site is not None and site.owner is not None and site.owner is frame.code
    lasts = bool(frame.enclosing_loops) and not (
        uses.received.get((key, frame.env), 0)
        or (made_here and site is not None and site.loop is not None)
    )
    if made_here and not lasts:
        return
    uses.runs[holder, key] = lasts or uses.runs.get((holder, key), False)


def _holder(it: Interpreter) -> Any:
    """The function that runs, or the outermost loop of code of a module."""
    frame = it.frame
    if frame.code is not None:
        return frame.code
    return Place(frame.parsed, frame.enclosing_loops[0]) if frame.enclosing_loops else None


@observes(CacheCleared)
def _cleared(it: Interpreter, cleared: CacheCleared) -> None:
    frame, node = it.frame, cleared.node
    uses = it.observations(JitUses)
    if id(node) in uses.sites or _is_measured(it):
        return
    loops = lasting_loops(frame, node)
    loop = loops[-1] if loops else None
    if loop is not None and _needs_other_programs(it, loop):
        return
    around = loop if loop is not None else (None if frame.code is None else frame.code.node)
    how_often = None if around is None else _how_often(it, around, node)
    if how_often is None:
        return
    clears = None
    if isinstance(cleared.function, Transformed):
        clears = id(cleared.function.place.node)
        uses.places[clears] = cleared.function.place
    uses.add(
        node,
        JitSite(
            kind=Kind.CLEARING,
            place=it.place(node),
            owner=frame.code,
            qualname=frame.qualname,
            chain=frame.chain,
            operand=it.text(node),
            callee=it.text(node.func) if isinstance(node, cst.Call) else it.text(node),
            fresh=how_often,
            loop=loop,
            repeated=loop is not None,
            guarded=False,
            depends=frozenset(),
            in_test=frame.in_test,
            clears=clears,
            holder=_holder(it) if loop is not None else None,
        ),
    )


def _is_measured(it: Interpreter) -> bool:
    """Whether a clock is read next to it, so that compilation may be what is measured."""
    words = it.frame.parsed.unit.words_called
    if not _CLOCK_WORDS.isdisjoint(words):
        return True
    clocks = (clock_named(it, word) for word in sorted(words))
    return any(name is not None and name.rpartition(".")[2] in _CLOCK_WORDS for name in clocks)


def _needs_other_programs(it: Interpreter, loop: cst.CSTNode) -> bool:
    """Whether each turn makes arrays of another shape, for which JAX compiles anyway.

    Or may do so: what nobody follows is given the number of the turn, and what it makes is used:
    ``batch = sample(key, length)``.
    """
    targets = it.written(loop_targets, loop)
    if not it.written(shaping_names, loop).isdisjoint(targets):
        return True
    variables = it.variables(it.frame.env)
    numbers = {name for name in targets if python_type(variables.get(name, UNKNOWN)) == "int"}
    for call in it.written(_calls_used, loop) if numbers else ():
        given = (arg.value.value for arg in call.args if isinstance(arg.value, cst.Name))
        if not numbers.isdisjoint(given):
            with it.speculating():
                called = it.ev(call.func)
            if UNKNOWN in members_of(called):
                return True
    return False


def _calls_used(loop: cst.CSTNode) -> tuple[cst.Call, ...]:
    """The calls in a loop of which a name gets the result."""
    return tuple(
        node
        for statement in walk_own(loop)
        if isinstance(statement, (cst.Assign, cst.AnnAssign)) and statement.value is not None
        for node in walk_own(statement.value)
        if isinstance(node, cst.Call)
    )


def _how_often(it: Interpreter, around: cst.CSTNode, node: cst.CSTNode) -> str | None:
    """Whether a place is reached in every turn, or every few; None where that is not known."""
    choices = [inner for inner in _way(around, node) if isinstance(inner, _CHOICES)]
    if not choices:
        return EVERY_TIME
    if len(choices) > 1 or not isinstance(choices[0], cst.If):
        return None
    period = _period(choices[0].test)
    return None if period is None else EVERY_TIME if period == 1 else "few turns"


def _way(around: cst.CSTNode, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes between a piece of code and a place in it."""
    for child in children(around):
        if child is node:
            yield child
            return
        below = list(_way(child, node))
        if below:
            yield child
            yield from below
            return


def _period(test: cst.BaseExpression) -> int | None:
    """``turn % 5 == 0``: how many turns lie between two that pass a test, where they are few."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        test = test.expression
    elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        if not isinstance(test.comparisons[0].operator, cst.Equal):
            return None
        test = test.left
    else:
        return None
    if not isinstance(test, cst.BinaryOperation) or not isinstance(test.operator, cst.Modulo):
        return None
    if not isinstance(test.right, cst.Integer):
        return None
    period = int(test.right.value, 0)
    return period if 0 < period <= _FEW_TURNS else None

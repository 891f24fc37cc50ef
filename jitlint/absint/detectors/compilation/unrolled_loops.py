"""Loops that Python runs while JAX traces: the program holds their body once for each turn."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.syntax import children
from jitlint.absint.events import UnrolledLoop, event_key
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import LoopLeft, observes
from jitlint.absint.operations.turns import full_turns


class Unrolled:
    """How often the program holds the bodies of loops, by the loop."""

    def __init__(self) -> None:
        self.copies: dict[int, int] = {}

    def fork(self) -> Unrolled:
        """What a run knows that goes on from this one: nothing."""
        return Unrolled()


@observes(LoopLeft)
def _loop_left(it: Interpreter, loop: LoopLeft) -> None:
    if not loop.worked or not it.frame.context.staging:
        return
    turns = full_turns(it, loop)
    if not turns:
        return
    known = it.observations(Unrolled).copies
    inside = it.frame.parsed.fact(_loops_within, loop.node)
    copies = turns * max((known.get(id(node), 1) for node in inside), default=1)
    if copies > known.get(id(loop.node), 0):
        # It ran before, in another call, for less.
        known[id(loop.node)] = copies
        it.withdraw(event_key(loop.node.iter, UnrolledLoop))
    it.note(UnrolledLoop, loop.node.iter, turns=turns, copies=copies)


def _loops_within(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """The loops in a loop."""
    found: list[cst.CSTNode] = []
    stack = list(children(node))
    while stack:
        inner = stack.pop()
        if isinstance(inner, (cst.For, cst.CompFor)):
            found.append(inner)
        stack.extend(children(inner))
    return tuple(found)

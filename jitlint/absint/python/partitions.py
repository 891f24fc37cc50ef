"""Which static tests of a function decide twice, so that their outcomes are kept apart.

``kernel = plain if blocks is None else fast`` and ``kernel(x, blocks)``: the fast one never gets
None.  Joining the two ways where they meet would lose that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import libcst as cst

from jitlint.absint.code.conditions import atoms_within, deciding_tests
from jitlint.absint.events import Branch
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced, level_of
from jitlint.absint.objects.flagged_choices import chooses_what_is_called, flags_asked
from jitlint.absint.python.narrowing import assuming
from jitlint.absint.values.domain import (
    External,
    Partial,
    Transformed,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import State
from jitlint.absint.values.lattice import join_states
from jitlint.jaxmodel.transforms import transform_words


def split_on(it: Interpreter, node: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """A static condition of this statement that decides again later in the function.

    It is tested there once more, or the function that it chooses here is called with what was
    tested or chosen with it.  The two ways are then kept apart to the end of the block, because a
    value that only one of them makes traced is never seen by the other.
    """
    frame = it.frame
    if frame.code is None or frame.partitions >= it.limits.partitions or frame.loops:
        return None
    repeated, choosing, handing = frame.parsed.fact(deciding_tests, frame.code)
    flags = frame.parsed.fact(flags_asked, frame.code)
    if type(node) is not cst.If:
        repeated = frozenset()
    if not (repeated or choosing or handing or flags):
        return None
    for key, atom in frame.parsed.fact(atoms_within, node):
        if key in it.state.assumed:
            continue
        matters = (
            key in repeated
            or (key in choosing and _may_trace(it, choosing[key]))
            or (key in handing and _are_functions(it, handing[key]))
            or (key in flags and chooses_what_is_called(it, frame.code, atom))
        )
        if matters and _is_open(it, atom):
            return key, atom
    return None


def _are_functions(it: Interpreter, chosen: Sequence[cst.CSTNode]) -> bool:
    """Whether what a test chooses from are functions, for another one to call."""
    named = [node for node in chosen if type(node) is not cst.FunctionDef]
    if not all(isinstance(node, (cst.Name, cst.Attribute, cst.Lambda)) for node in named):
        return False
    with it.speculating():
        values = [it.ev(node) for node in named]
        return all(type(v) is External or base_function(v) is not None for v in values)


def _may_trace(it: Interpreter, chosen: Sequence[cst.CSTNode]) -> bool:
    """Whether one of the functions that a test chooses from traces, or makes what does."""
    return any(_is_transform(it, node) for node in chosen)


def _is_transform(it: Interpreter, node: cst.CSTNode) -> bool:
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return _transforms().search(it.frame.parsed.source(node)) is not None
    with it.speculating():
        value = it.ev(node)
    while isinstance(value, Partial):
        value = value.function
    if isinstance(value, External):
        return it.row(value.name) is not None
    return any(isinstance(member, Transformed) for member in members_of(value))


@cache
def _transforms() -> re.Pattern[str]:
    """A word that applies a transform."""
    return re.compile(r"\b(?:" + "|".join(sorted(transform_words())) + r")\b")


def _is_open(it: Interpreter, atom: cst.BaseExpression) -> bool:
    """Whether a condition is static and its outcome not known."""
    with it.speculating():
        reported = it.reported
        value = it.ev(atom)
        it.reported = reported
    if find_traced(it, value) is not None or level_of(it, value) is not None:
        return False
    return it.truth(value, atom, Branch, construct="if") is None


def run_partitioned(
    it: Interpreter, key: str, atom: cst.BaseExpression, statements: Sequence[cst.CSTNode]
) -> None:
    """Run the rest of a block once for each outcome of a condition, and join the two ends."""
    it.frame.partitions += 1
    merged: State | None = None
    for truth in (True, False):
        start = assuming(it, atom, truth)
        start.assumed[key] = truth
        merged = join_states(merged, it.run_from(start, statements))
    if merged is None:
        raise Terminated
    it.state = merged

"""JIT402: what is timed is called once before the clock starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, bindings_of
from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import CompilingTiming, Event
from jitlint.diagnostics import Applicability, Fix, Location
from jitlint.fixes.making.bindings import is_bound_before
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

_LOOPS: Final = (cst.For, cst.While)
#: what has names of its own, or does something that is not to be done twice
_REFUSED: Final = (
    cst.Lambda, cst.BaseComp, cst.NamedExpr, cst.Await, cst.Yield,
)  # fmt: skip


def fix(event: Event) -> Fix | None:
    """Make the first call, and wait for it, before the clock is read."""
    assert isinstance(event, CompilingTiming)
    stop, origin = Draft(event), event.chain[1]
    draft = None if origin is None else stop.elsewhere(origin.place)
    if draft is None or not isinstance(draft.node, cst.Call) or draft.parsed is not stop.parsed:
        return None
    call, function = draft.node, stop.function
    text = draft.text(call)
    if function is None or "\n" in text or any(isinstance(it, _REFUSED) for it in walk(call)):
        return None
    started = _start(stop, call, function)
    if started is None:
        return None
    names = {it.value for it in walk(call) if isinstance(it, cst.Name)} & function.bound_names
    line = _outermost(draft, started, call, names)
    if not all(is_bound_before(draft, line, function, name) for name in names):
        return None
    where = draft.start(line)
    indent = draft.between(Location(where.row, 1), where)
    jax = None if indent.strip() else name_of(draft, "jax")
    if jax is None:
        return None
    draft.insert(Location(where.row, 1), f"{indent}{jax}.block_until_ready({text})\n")
    # It runs once more, with all that it does besides.
    return draft.fix("Call it once before the clock starts", Applicability.UNSAFE)


def _start(stop: Draft, call: cst.Call, function: Code) -> cst.SimpleStatementLine | None:
    """The line with the statement that starts the clock."""
    if any(node is call for node in walk(stop.node)):
        # `timeit.timeit(lambda: f(x))` has it all.
        return _line_of(stop, stop.node)
    for outer in (stop.node, *stop.around(stop.node)):
        if isinstance(outer, cst.BinaryOperation) and isinstance(outer.operator, cst.Subtract):
            name = dotted(outer.right)
            break
        if isinstance(outer, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return None
    else:
        return None
    row = stop.start(call).row
    found = [
        node
        for node in function.own_nodes
        if isinstance(node, cst.Assign)
        and [dotted(target.target) for target in node.targets] == [name]
        and stop.start(node.value).row < row
    ]
    return _line_of(stop, max(found, key=lambda node: stop.start(node.value))) if found else None


def _line_of(draft: Draft, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
    return next((it for it in draft.around(node) if isinstance(it, cst.SimpleStatementLine)), None)


def _outermost(
    draft: Draft, line: cst.BaseStatement, call: cst.Call, names: set[str]
) -> cst.BaseStatement:
    """The clock's start, or the outermost loop around it whose turns all make the same call."""
    own = draft.statement_of(call)
    for outer in list(draft.around(line)):
        if isinstance(outer, (cst.FunctionDef, cst.Lambda)):
            break
        if isinstance(outer, _LOOPS):
            if not names.isdisjoint(_bound_in(outer, own)):
                break
            line = outer
    return line


def _bound_in(loop: cst.CSTNode, own: cst.BaseSmallStatement | None) -> Iterator[str]:
    """The names that a loop binds, but for what a statement does."""
    skipped = set() if own is None else {id(node) for node in walk(own)}
    for node in walk(loop):
        if id(node) not in skipped:
            yield from bindings_of(node)

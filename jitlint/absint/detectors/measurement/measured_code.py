"""What the code says of a measurement: where a program begins, and who knows of compilation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.loop_variables import loop_targets
from jitlint.absint.detectors.surroundings.written import (
    asked_once,
    nodes_around,
    root_name,
)
from jitlint.absint.machine.frames import Frame

#: the code says that it knows of compilation
_TOLD: Final = re.compile(
    r"compil|warm|burn[_ -]?in|cold|start[_ ]?up|overhead|trac(e|ing)[_ ]time|jit[_ ]?time"
    r"|(first|1st|initial)[_ -](call|run|iter|turn|time|step|epoch|batch|pass)|_first\b",
    re.IGNORECASE,
)
#: what is compiled has a name, which says nothing of when: ``compiled = jit(f)``, ``compiled(x)``
_PROGRAM: Final = re.compile(r"\bcompiled(?:_\w+)?(?=\s*(?:=[^=]|\())")
#: a caller tells measurements with compilation from others
_TOLD_BY_CALLER: Final = re.compile(r"compil|(first|1st|initial)[_ -]?(call|run|iter|time)", re.I)
#: a duration is that of a compilation, and of nothing else
_COMPILES: Final = re.compile(r"compil|jit[_ ]time", re.IGNORECASE)
_BESIDES: Final = re.compile(
    r"\b(?:incl|with|and|run|exec|both)|\+|_(?:and|run|exec)", re.IGNORECASE
)
_DEFINED: Final = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)
_WORD: Final = re.compile(r"\w+")
#: of what is kept in every turn, the first one is left out or counts for nothing
_ROBUST: Final = re.compile(
    r"\[\s*\w+\s*:|\[\s*-1\s*\]|\.pop\(\s*0|\bdel\b|median|percentile|quantile|\bmin\(|\.min\(|best"
)
#: statements on either side of a duration that tell of it
_BESIDE: Final = 3
#: rows behind a loop in which a script reckons with what the loop has kept
_BEHIND: Final = 20


@asked_once
def is_of_failure(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a duration is taken where something has failed: what was dispatched then is void."""
    return any(
        inner is node
        for handler in nodes_around(frame)
        if isinstance(handler, cst.ExceptHandler)
        for inner in walk_own(handler.body)
    )


def begins(frame: Frame) -> bool:
    """Whether a program begins with a function, so that nothing has been called before.

    Nothing in its module names it but the last block, ``if __name__ == "__main__"``, which calls
    nothing else; or nothing names it at all, and it needs no arguments.
    """
    code = frame.code
    if code is None:
        return True
    if frame.in_test or code.name != code.qualname:
        return False
    answer: bool = frame.parsed.answer((begins, code), lambda: _is_beginning(code))
    return answer


def _is_beginning(code: Code) -> bool:
    text = code.module.text
    head, _, block = text.partition("\nif __name__ ==")
    if _WORD.findall(head).count(code.name) != 1:
        return False
    if code.name in _WORD.findall(block):
        defined = set(_DEFINED.findall(head))
        return not any(name in defined and name != code.name for name in _WORD.findall(block))
    return not any(each.kind[0] != "*" and not each.default is not None for each in code.parameters)


def is_told(own: Sequence[Frame], active: Iterable[Frame]) -> bool:
    """Whether the code says that what is measured is a first call.

    So do the functions that read the clock and reckon with what comes out, and the rows in which
    those that run are called.
    """
    if any(_TOLD.search(text) for text in _texts(own)):
        return True
    if any(_TOLD_BY_CALLER.search(text) for text in _texts(active)):
        return True
    return any(_TOLD.search(row) for frame in [*own, *active] for row in _rows(frame))


def _rows(frame: Frame) -> list[str]:
    """What is said of the call of the function that runs: its row up to its end, and comments."""
    if frame.chain is None or frame.code is None or frame.is_root:
        return []
    place = frame.chain.step.place
    row, _, end_row, end = place.position()
    above = 1 if row > 1 else 0
    lines = place.parsed.unit.module.written(row - above, end_row)
    before = lines[0].strip() if above else ""
    said = _PROGRAM.sub("", "".join(lines[above:-1]) + lines[-1][: end - 1])
    comment = lines[-1][end - 1 :].partition("#")[2]
    return [said, comment, before if before.startswith("#") else ""]


def leaves_first_out(active: Sequence[Frame], kept: str | None) -> bool:
    """Whether the functions that run may leave out the first of what is kept in every turn.

    Args:
      active: the frames that are active.
      kept: the name of what keeps it: the code of a module is long, and only the rows behind the
        loop count that name it.
    """
    if any(_ROBUST.search(text) for text in _texts(active)):
        return True
    own = active[0]
    if own.code is not None or kept is None:
        return False
    end = own.parsed.position(own.enclosing_loops[0])[2]
    rows = own.module.written(end + 1, end + _BEHIND)
    named = re.compile(rf"\b{re.escape(kept)}\b(\s*=[^=])?")
    found = [(named.search(row), _ROBUST.search(row)) for row in rows]
    before = takewhile(lambda pair: pair[0] is None or pair[0][1] is None, found)
    return any(name and robust for name, robust in before)


def _texts(active: Iterable[Frame]) -> list[str]:
    """The code of the functions that run, as written."""
    return [
        _PROGRAM.sub("", frame.parsed.written(frame.code.node))
        for frame in active
        if frame.code is not None and frame.code.node is not None
    ]


@asked_once
def is_of_compilation(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether the code says of a duration that it is how long something compiles.

    So do the statement that holds it, and what is logged beside that.

    A call compiles before it returns, so what it then dispatches is rightly not waited for.
    """
    for statement in nodes_around(frame):
        if isinstance(statement, cst.SimpleStatementLine) and any(
            inner is node for inner in walk_own(statement)
        ):
            text = frame.parsed.written(statement)
            said = [text] if _COMPILES.search(text) else _said_beside(frame, statement)
            return any(_COMPILES.search(row) and not _BESIDES.search(row) for row in said)
    return False


def _said_beside(frame: Frame, statement: cst.SimpleStatementLine) -> list[str]:
    """The calls beside a statement that say something: ``logger.info("Compilation is done.")``."""
    block = next(frame.parsed.above(statement), None)
    lines = block.body if isinstance(block, (cst.IndentedBlock, cst.Module)) else ()
    at = next((n for n, line in enumerate(lines) if line is statement), 0)
    return [
        frame.parsed.written(line)
        for line in lines[max(0, at - _BESIDE) : at + _BESIDE]
        if isinstance(line, cst.SimpleStatementLine)
        and line is not statement
        and isinstance(line.body[0], cst.Expr)
        and isinstance(line.body[0].value, cst.Call)
    ]


@asked_once
def is_told_by_turn(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a timer is told by the number of the turn whether to count.

    ``with timed("first updates", noop=step > first + 1):`` measures turns that compile.  Whether a
    timer counts those or all others its call does not tell, so that nothing is said of either.
    """
    numbers = frozenset[str]().union(*map(loop_targets, frame.enclosing_loops))
    tests = (arg.value for arg in node.args) if isinstance(node, cst.Call) else ()
    return any(
        isinstance(test, cst.Comparison)
        and isinstance(test.left, cst.Name)
        and test.left.value in numbers
        for test in tests
    )


@asked_once
def is_conditional(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a place in a loop is not reached in all turns: perhaps not in the first one."""
    for loop in frame.enclosing_loops:
        for inner in walk_own(loop):
            if isinstance(inner, cst.If) and any(each is node for each in walk_own(inner)):
                return True
    return False


@asked_once
def is_time_limit(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a duration is only compared with a number: with how long something may take.

    ``if time.time() - last > 60``, or a name for the difference that is used in no other way.
    """
    names = set()
    for inner in nodes_around(frame):
        if isinstance(inner, cst.Comparison) and _compares(inner, node):
            return True
        if isinstance(inner, cst.Assign) and inner.value is node:
            names = {root_name(target.target) for target in inner.targets}
        elif isinstance(inner, cst.NamedExpr) and inner.value is node:
            names = {root_name(inner.target)}
    if len(names) != 1 or None in names:
        return False
    (name,) = names
    uses = [
        inner
        for inner in nodes_around(frame)
        if isinstance(inner, cst.Name) and inner.value == name
    ]
    compared = {
        id(part)
        for inner in nodes_around(frame)
        if isinstance(inner, cst.Comparison)
        for part in (inner.left, *(target.comparator for target in inner.comparisons))
    }
    others = [use for use in uses if id(use) not in compared]
    return len(others) == 1 and len(uses) > 1


def _compares(comparison: cst.Comparison, node: cst.CSTNode) -> bool:
    parts = (comparison.left, *(target.comparator for target in comparison.comparisons))
    return any(part is node for part in parts)

"""What code does only where a setting asks for it: ``if verbose: ...``, ``if sync: wait()``."""

from __future__ import annotations

from collections.abc import Iterator, Set

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import called_name, walk, walk_own
from jitlint.absint.detectors.surroundings.paths import names_given, targets_of
from jitlint.absint.detectors.surroundings.written import asked_once, nodes_around
from jitlint.absint.machine.frames import Frame

#: what waits for all work, or for that of one array
_WAITS = ("block_until_ready", "effects_barrier")


@asked_once
def is_read_on_request(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether what is made of a value is only read under settings.

    ``start = clock()`` and, further down, ``if verbose: print(clock() - start)``: without the
    setting nothing comes of it.

    Args:
      frame: the function that runs.
      node: a call in its code.
    """
    names, code = names_given(frame, node), frame.code
    if not names or code is None or code.node is None:
        return False
    every = [*walk(code.node.body)]
    if any(isinstance(inner, (cst.Global, cst.Nonlocal)) for inner in every):
        return False
    handed_on = [inner for inner in every if isinstance(inner, cst.Assign) and _binds_names(inner)]
    size = -1
    while size != len(names):
        size = len(names)
        for assign in handed_on:
            if _reads(assign.value, names):
                names.update(name for each in targets_of(assign) for name in target_names(each))
    settled = {id(inner) for assign in handed_on for inner in walk_own(assign)}
    for request in _requests(frame):
        if not frame.parsed.holds(request, node):
            settled.update(map(id, walk(request.body)))
    return not any(
        isinstance(inner, cst.Name) and inner.value in names and id(inner) not in settled
        for inner in every
    )


def waits_on_request(frame: Frame) -> bool:
    """Whether a function that reckons with a clock has a setting that makes it wait for work.

    ``if synchronous: y.block_until_ready()``: who does not ask for it wants it not to wait.

    Args:
      frame: the function that runs.
    """
    return any(_only_waits(request.body) for request in _requests(frame))


def _requests(frame: Frame) -> Iterator[cst.If]:
    """The statements of a function that run where a setting says so: a name, or an attribute."""
    for inner in nodes_around(frame):
        if isinstance(inner, cst.If) and isinstance(inner.test, (cst.Name, cst.Attribute)):
            yield inner


def _only_waits(body: cst.BaseSuite) -> bool:
    statements = body.body if isinstance(body, cst.IndentedBlock) else ()
    calls = [inner for inner in walk_own(body) if isinstance(inner, cst.Call)]
    return (
        bool(calls)
        and all(isinstance(statement, cst.SimpleStatementLine) for statement in statements)
        and all(called_name(call) in _WAITS for call in calls)
    )


def _binds_names(assign: cst.Assign) -> bool:
    return all(isinstance(target, cst.Name) for target in targets_of(assign))


def _reads(expression: cst.CSTNode, names: Set[str]) -> bool:
    return any(
        isinstance(inner, cst.Name) and inner.value in names for inner in walk_own(expression)
    )

"""Whether what one turn of a loop keeps is still in use when later turns have run.

``if loss < best: best = params`` keeps what some turn has made, and the turns after it make more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import libcst as cst

from jitlint.absint.code.functions import ParsedUnit, Place
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.paths import bound_beside, targets_of
from jitlint.absint.detectors.surroundings.written import bindings
from jitlint.absint.machine.frames import Frame

#: what ends a loop, or the turn in which something was kept
_ENDS = (cst.Break, cst.Return, cst.Raise)
#: what takes something out of a list again
_REMOVES = frozenset({"clear", "insert", "pop", "remove", "reverse", "sort"})


def is_kept_by_some_turn(frame: Frame, read: cst.CSTNode, call: Place) -> bool:
    """Whether something that is read behind a loop is what one of its turns has made, not the last.

    Args:
      frame: the frame that reads.
      read: what is read there, as written.
      call: in the loop; what it returns is kept.
    """
    parsed = call.parsed
    around: list[cst.CSTNode]
    if frame.code is None:
        # Behind a loop of a module, in another statement of it.
        if parsed.unit.module is not frame.module or parsed is frame.parsed:
            return False
        around = [*walk_own(parsed.statement)]
    elif parsed is frame.parsed:
        around = [*frame.code.own_nodes]
    else:
        return False
    target = frame.parsed.source(read)
    source = parsed.source
    for loop in around:
        if not isinstance(loop, (cst.For, cst.While)) or parsed.holds(loop, read):
            continue
        if not parsed.holds(loop.body, call.node):
            continue
        made = [*bindings(loop.body)]
        results = [*bound_beside(parsed, loop.body, call.node)]
        results_as_written = set(map(source, results))
        kept = [(bound, value) for bound, value in made if source(bound) == target]
        if kept:
            names = _made_by_calls(loop, made)
            return all(
                value is not None
                and source(value) in results_as_written
                and _is_chosen(parsed, loop.body, bound, names)
                for bound, value in kept
            )
        if isinstance(read, cst.Name) and _collects(
            parsed, around, loop, target, results_as_written
        ):
            return True
    return False


def _made_by_calls(
    loop: cst.For | cst.While, made: list[tuple[cst.CSTNode, cst.CSTNode | None]]
) -> set[str]:
    """The names in a loop that hang on what calls give in it, not only on how often it has run."""
    found: set[str] = set()
    for inner in walk_own(loop.body):
        if isinstance(inner, cst.Assign) and any(
            isinstance(part, cst.Call) for part in walk_own(inner.value)
        ):
            found.update(_names(*targets_of(inner)))
    while True:
        more = {
            name
            for bound, value in made
            if value is not None and _names(value) & found
            for name in _names(bound)
        }
        if more <= found:
            return found
        found |= more


def _names(*nodes: cst.CSTNode) -> set[str]:
    return {
        inner.value for node in nodes for inner in walk_own(node) if isinstance(inner, cst.Name)
    }


def _is_chosen(parsed: ParsedUnit, body: cst.BaseSuite, node: cst.CSTNode, names: Set[str]) -> bool:
    """Whether a place is reached in some turns only, as results tell, and the loop goes on."""
    tests = _tests(parsed, body, node)
    return _goes_on(tests) and any(_names(inner.test) & names for inner in tests)


def _tests(parsed: ParsedUnit, body: cst.BaseSuite, node: cst.CSTNode) -> list[cst.If]:
    return [
        inner for inner in walk_own(body) if isinstance(inner, cst.If) and parsed.holds(inner, node)
    ]


def _goes_on(tests: list[cst.If]) -> bool:
    return not any(isinstance(part, _ENDS) for inner in tests for part in walk_own(inner))


def _collects(
    parsed: ParsedUnit,
    around: Sequence[cst.CSTNode],
    loop: cst.For | cst.While,
    name: str,
    results: Set[str],
) -> bool:
    """Whether a loop appends what a call gives to a list that is only ever added to."""
    source = parsed.source
    calls = [
        inner
        for inner in around
        if isinstance(inner, cst.Call)
        and isinstance(inner.func, cst.Attribute)
        and source(inner.func.value) == name
    ]
    methods = {inner.func.attr.value for inner in calls if isinstance(inner.func, cst.Attribute)}
    bound = [target for inner in around for target in _bound_by(inner) if source(target) == name]
    if methods & _REMOVES or len(bound) != 1:
        return False
    return any(
        inner.func.attr.value == "append"
        and source(inner.args[0].value) in results
        and _goes_on(_tests(parsed, loop.body, inner))
        for inner in calls
        if isinstance(inner.func, cst.Attribute)
        and len(inner.args) == 1
        and parsed.holds(loop.body, inner)
    )


def _bound_by(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Assign):
        yield from targets_of(node)
    elif isinstance(node, (cst.AnnAssign, cst.AugAssign, cst.Del, cst.For, cst.NamedExpr)):
        yield node.target

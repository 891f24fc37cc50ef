"""Work that a program is there to do, timed as it is done: no benchmark, and done once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import ParsedUnit, target_names
from jitlint.absint.code.syntax import called_name, children, walk_own
from jitlint.absint.detectors.surroundings.paths import names_given, names_in
from jitlint.absint.detectors.surroundings.written import OF_SHAPES, asked_once, nodes_around
from jitlint.absint.machine.frames import Frame

#: functions and methods that only look whether a result is there, or what it is like
_LOOKS: Final = frozenset(
    """allclose array_equal assert_allclose assert_array_equal block_until_ready isclose isfinite
    len print type""".split()
)


@asked_once
def is_job(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a call is made once, and what it gives is worked with afterwards.

    ``out = train(key)`` between two readings of a clock, and ``save(out["params"])`` below: nobody
    would train once more before that, so that the time is one without compilation.

    Args:
      frame: the function that reads the clocks.
      node: a call in its code.
    """
    code, names = frame.code, names_given(frame, node)
    if code is None or code.node is None or not names:
        return False
    loops = (inner for inner in nodes_around(frame) if isinstance(inner, (cst.For, cst.While)))
    return not any(frame.parsed.holds(loop, node) for loop in loops) and any(
        read.value in names for read in _worked_with(frame.parsed, code.node.body, node)
    )


def is_turn_of_job(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a call in a loop that runs goes on from what it has given in the turn before.

    ``state = step(state)``: of the turns of a training the first one takes longer, and what is said
    of each by itself is true.

    Args:
      frame: the function that reads the clocks.
      node: a call in its code.
    """
    around = [loop for loop in frame.enclosing_loops if frame.parsed.holds(loop, node)]
    carried = names_given(frame, node) & {*names_in(node)}
    if not around or not carried:
        return False
    return not carried <= {
        name
        for inner in walk_own(around[0])
        if isinstance(inner, cst.Assign) and not frame.parsed.holds(inner.value, node)
        for target in inner.targets
        for name in target_names(target.target)
    }


def _worked_with(parsed: ParsedUnit, around: cst.CSTNode, node: cst.CSTNode) -> Iterator[cst.Name]:
    """The names that are read below a statement for more than a look, but for what is returned.

    Args:
      parsed: the unit of a function.
      around: the code of the function.
      node: what the statement gives names to.
    """
    below, stack = False, [around]
    while stack:
        inner = stack.pop()
        if isinstance(inner, cst.Assign) and parsed.holds(inner.value, node):
            below = True
        elif isinstance(inner, cst.Name):
            if below:
                yield inner
        elif isinstance(inner, (cst.Return, cst.Assert, cst.FormattedString, cst.AssignTarget)):
            continue
        elif isinstance(inner, cst.Attribute):
            stack += [] if inner.attr.value in OF_SHAPES else [inner.value]
        elif isinstance(inner, cst.Call) and called_name(inner) in _LOOKS:
            continue
        elif isinstance(inner, cst.Arg):
            stack.append(inner.value)
        else:
            stack += reversed([*children(inner)])

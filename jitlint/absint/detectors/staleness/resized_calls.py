"""Calls that pass arrays of another size whenever something else changes: compiled anew for it.

``for rate, share in zip(rates, shares): optimizer = optax.adam(rate); step(ts[: int(n * share)])``:
each share is a program of its own, which reads the optimizer of its turn (observed under JAX
0.10.2: two shares, two traces; with the same share twice, the second turn keeps the first one's).
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.detectors.sizes import (  # noqa: F401
    calls,
    elements,
    expressions,
    numbers,
)
from jitlint.absint.detectors.sizes.made import is_made_by_turn
from jitlint.absint.detectors.sizes.questions import change_of_size
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.paths import repeating_loops
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import Origin


def may_be_resized(it: Interpreter, call: cst.CSTNode, changed: Origin) -> bool:
    """Whether a call may pass another size in each turn of the loop that changes something.

    It is the innermost loop around both that counts: what an inner one goes through comes again in
    the next turn, and an outer one keeps its size for more than one.

    Args:
      it: the interpreter, in the function that makes the call.
      call: the call.
      changed: where it is changed what the compiled function keeps.
    """
    if not isinstance(call, cst.Call):
        return False
    loops = repeating_loops(it.frame)
    holds, place = it.frame.parsed.holds, changed.place.node
    depth = next((i for i in reversed(range(len(loops))) if holds(loops[i], place)), None)
    if depth is None:
        return False
    loop, given = loops[depth], [arg.value for arg in call.args]
    if is_made_by_turn(it, [loop], given):
        return True
    scope = Scope.of_frame(it, loop, outermost=depth == 0, listed=True)
    return any(change_of_size(scope, node) is not None for node in given)

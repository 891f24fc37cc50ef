"""JIT401: the clock waits for what it measures."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.events import Event, UnawaitedTiming
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of


def fix(event: Event) -> Fix | None:
    """Wrap what dispatches the work in ``jax.block_until_ready``."""
    assert isinstance(event, UnawaitedTiming)
    origin = event.chain[1]
    if origin is None:
        return None
    draft = Draft(event).elsewhere(origin.place)
    if draft is None or not isinstance(draft.node, cst.Call):
        return None
    call = draft.node
    statement = draft.statement_of(call)
    whole = isinstance(statement, (cst.Assign, cst.Expr, cst.AnnAssign))
    if not whole or statement.value is not call:  # type: ignore[union-attr]
        return None
    stop = Draft(event)
    loops = [it for it in draft.around(call) if isinstance(it, (cst.For, cst.While))]
    near = draft.parsed is stop.parsed and set(map(id, loops)) <= set(
        map(id, stop.around(stop.node))
    )
    jax = name_of(draft, "jax")
    if jax is None:
        return None
    draft.before(call, f"{jax}.block_until_ready(")
    draft.behind(call, ")")
    # Waiting in each turn of a loop that is timed as a whole, JAX cannot work ahead.
    applicability = Applicability.SAFE if near else Applicability.UNSAFE
    return draft.fix(f"Wait with `{jax}.block_until_ready`", applicability)

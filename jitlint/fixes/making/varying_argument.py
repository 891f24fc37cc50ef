"""JIT306: a number that is another one in each turn is traced."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.events import Event, VaryingStaticArgument
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of
from jitlint.fixes.making.static_declaration import undeclare_static


def fix(event: Event) -> Fix | None:
    """Take the parameter out of the options, or pass an array where no option says so."""
    assert isinstance(event, VaryingStaticArgument)
    if event.made is not None or event.field:
        return None
    draft = Draft(event)
    if event.declared:
        return _traced(draft, event)
    argument = draft.node
    jnp = name_of(draft, "jax.numpy") if isinstance(argument, cst.BaseExpression) else None
    if jnp is None:
        return None
    draft.before(argument, f"{jnp}.asarray(")
    draft.behind(argument, ")")
    return draft.fix(f"Pass `{jnp}.asarray({event.operand})`", Applicability.UNSAFE)


def _traced(draft: Draft, event: VaryingStaticArgument) -> Fix | None:
    here = None if event.application is None else draft.elsewhere(event.application)
    if here is None or not isinstance(here.node, cst.Call):
        return None
    removed = undeclare_static(here, here.node, event.positional, event.parameter)
    if removed is None or removed == "static_broadcasted_argnums":
        # What `pmap` does not broadcast it divides among the devices.
        return None
    # Shapes and Python control flow may rest on it: then the next round says so.
    message = f"Have `{event.parameter}` traced: take it out of `{removed}`"
    return draft.fix(message, Applicability.UNSAFE)

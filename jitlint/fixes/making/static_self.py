"""JIT309: the object of a method is static, as JAX's own FAQ has it; a change of it goes unseen."""

from __future__ import annotations

from jitlint.absint.events import Event, TracedSelf
from jitlint.absint.machine.given import given_at
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.static_declaration import declare_static


def fix(event: Event) -> Fix | None:
    """List the first parameter in ``static_argnums``."""
    assert isinstance(event, TracedSelf)
    given = given_at(event.chain[1])
    if given is None:
        return None
    draft = Draft(event)
    added = declare_static(draft, given.application, given.name)
    if added is None:
        return None
    return draft.fix(f"Make `{given.name}` static: `{added}`", Applicability.UNSAFE)

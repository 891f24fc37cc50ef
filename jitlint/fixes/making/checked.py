"""JIT103: what an assertion asks, asked when the program runs; the function has to be wrapped."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.events import Assertion, Event
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.logical import condition_text
from jitlint.fixes.making.names import name_of


def fix(event: Event) -> Fix | None:
    """Show ``checkify.check`` in its place."""
    assert isinstance(event, Assertion)
    draft = Draft(event)
    statement = draft.statement_of(draft.node)
    if not isinstance(statement, cst.Assert):
        return None
    checkify, jnp = name_of(draft, "jax.experimental.checkify"), name_of(draft, "jax.numpy")
    test = None if jnp is None else condition_text(draft, statement.test, jnp)
    if checkify is None or test is None:
        return None
    message = '"an assertion does not hold"'
    if statement.msg is not None:
        message = draft.text(statement.msg)
    end = statement.test if statement.msg is None else statement.msg
    text = f"{checkify}.check({jnp}.all({test}), {message})"
    draft.replace_between(draft.start(statement), draft.end(end), text)
    return draft.fix(
        f"Check with `{checkify}.check`, and wrap the function in `{checkify}.checkify`",
        Applicability.DISPLAY_ONLY,
    )

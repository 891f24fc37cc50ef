"""JIT212: an updated copy of an array is thrown away."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import DiscardedUpdate, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class DiscardedFunctionalUpdate(Rule):
    """Reports ``x.at[i].set(value)`` as a statement."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT212",
        name="discarded-functional-update",
        summary="`x.at[i].set(v)` as a statement: the updated copy is thrown away",
        severity=Severity.WARNING,
        why=(
            "x.at[i].set(value) changes nothing: it returns an updated copy of the array. As a "
            "statement the copy is thrown away and x keeps its old value, without a word, traced "
            "or not. Code moved from x[i] = value often ends up so."
        ),
        help="Bind the result to the name: x = x.at[i].set(value).",
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def hold_ends(field):\n"
                "    field.at[0].set(0.0)\n"
                "    field.at[-1].set(0.0)\n"
                "    return field\n"
            ),
            call="hold_ends(jnp.ones(4))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def hold_ends(field):\n"
                "    field = field.at[0].set(0.0)\n"
                "    field = field.at[-1].set(0.0)\n"
                "    return field\n"
            ),
            call="hold_ends(jnp.ones(4))",
        ),
        hazard=Hazard("silently-wrong"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (DiscardedUpdate,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say that the array keeps its value."""
        assert isinstance(event, DiscardedUpdate)
        update = f".at[...].{event.method}(...)"
        fault = (
            f"{operand_text(event)} keeps its value: `{update}` returns an updated copy, which is "
            "thrown away here."
        )
        # Long operands would say the same twice; the source frame shows them.
        target = event.operand if event.operand.isidentifier() else "x"
        return fault, f"Assign it: `{target} = {target}{update}`."

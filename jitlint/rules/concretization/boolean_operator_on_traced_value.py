"""JIT104: a boolean operator asks a traced operand for its truth."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import BooleanOperation, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, setting_remedy, traced_here
from jitlint.rules.meta import Example, RuleMeta

_REMEDIES = {
    "and": "Use `jnp.logical_and(a, b)`, or `&` on boolean arrays.",
    "or": "Use `jnp.logical_or(a, b)`, or `|` on boolean arrays.",
    "not": "Use `jnp.logical_not(a)`, or `~` on a boolean array.",
    "chained comparison": "Write `(a < b) & (b < c)`: a chain is an `and`.",
}


class BooleanOperatorOnTracedValue(Rule):
    """Reports ``and``, ``or``, ``not`` and chained comparisons outside a condition."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT104",
        name="boolean-operator-on-traced-value",
        summary="`and`, `or`, `not` or a chained comparison on traced values",
        severity=Severity.ERROR,
        why=(
            "`and`, `or` and `not` are not operators on arrays: Python asks their operands for a "
            "bool, to decide which operand is the result. `a < b < c` means `a < b and b < c`, so "
            "it does the same. Under tracing that raises TracerBoolConversionError, or ValueError "
            "for a value with several elements. The last operand of `and` and `or` is handed "
            "through unasked."
        ),
        help=(
            "Combine boolean arrays with jnp.logical_and, jnp.logical_or and jnp.logical_not, or "
            "with &, | and ~ (these bind tighter than comparisons: put brackets around them)."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def inside(x, low, high):\n"
                "    return low <= x < high\n"
            ),
            call="inside(0.5, 0.0, 1.0)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def inside(x, low, high):\n"
                "    return (low <= x) & (x < high)\n"
            ),
            call="inside(0.5, 0.0, 1.0)",
        ),
        hazard=Hazard("raises", ("jax.errors.TracerBoolConversionError", "ValueError")),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (BooleanOperation,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the operator and the function that works on arrays."""
        assert isinstance(event, BooleanOperation)
        remedy = setting_remedy(event) or _REMEDIES.get(
            event.operator, "Use `jnp.logical_and` or `jnp.logical_or`."
        )
        named = "a chained comparison" if " " in event.operator else f"`{event.operator}`"
        return f"{traced_here(event)}: {named} needs a Python bool.", remedy

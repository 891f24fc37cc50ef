"""JIT205: an element of a JAX array is assigned."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import ArrayStore, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.impurity.effect_rule import condition
from jitlint.rules.meta import Example, RuleMeta

_UPDATES = {
    "=": "set",
    "+=": "add",
    "-=": "subtract",
    "*=": "multiply",
    "/=": "divide",
    "**=": "power",
}
# Longer targets would bury the message.
_TARGET_LIMIT = 40


class InPlaceArrayUpdate(Rule):
    """Reports ``x[i] = value`` and ``x[i] += value`` on JAX arrays."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT205",
        name="in-place-array-update",
        summary="an element of a JAX array is assigned, as if it were a NumPy array",
        severity=Severity.ERROR,
        why=(
            "JAX arrays are immutable, traced or not: x[i] = value and x[i] += value raise "
            "TypeError. A function written for NumPy arrays fails when it is traced, because its "
            "arguments arrive as tracers. x += value is no such update: it binds the name to a new "
            "array and is fine."
        ),
        help=(
            "x.at[i].set(value), x.at[i].add(value) and their relatives return an updated copy; "
            "bind it to the name: x = x.at[i].set(value). Under jit the compiler updates in place "
            "where it can, so that nothing is copied."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def diffuse(field):\n"
                "    field = 0.5 * (field + jnp.roll(field, 1))\n"
                "    field[0] = 0.0\n"
                "    return field\n"
            ),
            call="diffuse(jnp.ones(4))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def diffuse(field):\n"
                "    field = 0.5 * (field + jnp.roll(field, 1))\n"
                "    return field.at[0].set(0.0)\n"
            ),
            call="diffuse(jnp.ones(4))",
        ),
        hazard=Hazard("raises", ("TypeError",)),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (ArrayStore,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the update that returns a copy."""
        assert isinstance(event, ArrayStore)
        fault = (
            f"{operand_text(event)} is a JAX array here{condition(event)}: JAX arrays are "
            "immutable, and assigning to an element raises."
        )
        index = event.statement[len(event.operand) :]
        method = _UPDATES.get(event.operator, "apply")
        update = f"{event.operand} = {event.operand}.at{index}.{method}(...)"
        if event.statement != event.operand + index or len(event.statement) > _TARGET_LIMIT:
            update = f"x = x.at[...].{method}(...)"
        return fault, f"Use `{update}`."

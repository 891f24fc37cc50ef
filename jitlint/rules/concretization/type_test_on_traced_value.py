"""JIT112: a type test that a tracer fails without a word."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, TypeTest
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text, static_phrase
from jitlint.rules.meta import Example, RuleMeta


class TypeTestOnTracedValue(Rule):
    """Reports type tests on Python scalars that arrive as tracers."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT112",
        name="type-test-on-traced-value",
        summary="a type test on a Python scalar that arrives as a tracer",
        severity=Severity.WARNING,
        why=(
            "jit turns Python numbers and bools among its arguments into tracers. isinstance(n, "
            "int), type(n) == float, `flag is True` and a class pattern are then False, whatever "
            "the caller passed, and the function takes its other branch without an error. Called "
            "without jit, the same function takes the branch that was meant, so that the two "
            "results differ.\n\n"
            "It is reported only where a visible call or an annotation shows that a Python scalar "
            "is passed."
        ),
        help=(
            "Make the argument static (static_argnums or static_argnames) so that it stays a "
            "Python value, or test the dtype: jnp.issubdtype(jnp.result_type(n), jnp.integer)."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def scale(x, factor):\n"
                "    if isinstance(factor, int):\n"
                "        return x * factor\n"
                "    return x / factor\n"
            ),
            call="scale(jnp.ones(3), 2)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def scale(x, factor):\n"
                "    if jnp.issubdtype(jnp.result_type(factor), jnp.integer):\n"
                "        return x * factor\n"
                "    return x / factor\n"
            ),
            call="scale(jnp.ones(3), 2)",
        ),
        hazard=Hazard("silently-wrong"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/tracing.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (TypeTest,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say which type never arrives."""
        assert isinstance(event, TypeTest)
        test = " ".join(event.test.split())
        return (
            f"{operand_text(event)} arrives as a tracer, never as a Python `{event.python_type}`: "
            f"`{test}` silently takes the wrong branch.",
            f"Test its dtype, or {static_phrase(event, 'the argument')}.",
        )

"""JIT201: print while tracing."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, Print
from jitlint.diagnostics import Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.impurity.effect_rule import ONCE, RUNS_ONCE, condition
from jitlint.rules.meta import Example, RuleMeta


class PrintInTracedFunction(Rule):
    """Reports ``print`` where the compiled function does not print again."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT201",
        name="print-in-traced-function",
        summary="`print` in a function whose Python code runs only while tracing",
        severity=Severity.WARNING,
        why=(
            "jit and control flow such as jax.lax.scan run the Python code of a function once, to "
            "record its array operations. print is no array operation: it runs during that one "
            "pass, shows a tracer such as JitTracer(float32[]) in place of the value, and is not "
            "part of what runs on later calls. A missing line in the output then looks like a "
            "call that did not happen.\n\n"
            "Where only static values are printed, the report is an info: a line that says once "
            "that a function is being compiled may be just what is meant. Under grad or vmap "
            "alone, Python runs on every call, and nothing is reported; nor under jax.make_jaxpr "
            "or jax.eval_shape, of which nothing runs later."
        ),
        help=(
            "Use jax.debug.print, which prints the values on every run: "
            'jax.debug.print("loss {loss}", loss=loss). Pass values as arguments; an f-string is '
            "formatted while tracing. Or return the value and print it outside."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_loss(params, batch):\n"
                "    loss = jnp.mean((batch - params) ** 2)\n"
                '    print("loss", loss)\n'
                "    return loss\n"
            ),
            call="mean_loss(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_loss(params, batch):\n"
                "    loss = jnp.mean((batch - params) ** 2)\n"
                '    jax.debug.print("loss {}", loss)\n'
                "    return loss\n"
            ),
            call="mean_loss(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        hazard=RUNS_ONCE,
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/debugging.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (Print,)

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Say what is shown, and that it is shown once."""
        assert isinstance(event, Print)
        if not event.cached:
            return None
        if not event.traced:
            return (
                f"Printing {operand_text(event)} happens {ONCE}.",
                "Use `jax.debug.print` to print on every run.",
            )
        return (
            f"{operand_text(event)} holds a traced value{condition(event)}: printing it shows a "
            "tracer, not the value, and only once, while tracing.",
            'Use `jax.debug.print("{}", ...)`.',
        )

    def severity(self, event: Event) -> Severity:
        """A static text that is printed once is only worth an info."""
        assert isinstance(event, Print)
        return super().severity(event) if event.traced else Severity.INFO

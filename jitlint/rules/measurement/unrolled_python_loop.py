"""JIT404: a Python loop that a trace unrolls."""

from __future__ import annotations

from typing import ClassVar, Final

from jitlint.absint.events import Event, UnrolledLoop
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta

#: from here on a loop is long: a few dozen layers or Newton steps are unrolled on purpose
_LONG: Final = 50
#: how often loops in each other repeat a body that none of them repeats so often
_LONG_TOGETHER: Final = 100


class UnrolledPythonLoop(Rule):
    """Reports long Python loops in a trace that give JAX operations in each turn."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT404",
        name="unrolled-python-loop",
        summary="a long Python loop in a trace, which is unrolled",
        severity=Severity.INFO,
        why=(
            "Python runs a loop while JAX traces, so that the compiled program holds what stands "
            "in it once for each turn. The time that tracing and compiling take grows with the "
            "turns, faster than in proportion: a loop of 3000 turns around two operations takes "
            "seconds, and 0.03 seconds as jax.lax.fori_loop. The program runs no faster for it, as "
            "a rule."
        ),
        help=(
            "Write the loop with jax.lax.fori_loop, or jax.lax.scan if something is collected in "
            "each turn or derivatives are taken; jax.vmap where the turns do not depend on each "
            "other. Their option unroll= gives back what unrolling is good for."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def relax(x):\n"
                "    for _ in range(200):\n"
                "        x = x - 0.1 * jnp.sin(x)\n"
                "    return x\n"
            ),
            call="relax(jnp.ones(3))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def relax(x):\n"
                "    return jax.lax.fori_loop(0, 200, lambda _, x: x - 0.1 * jnp.sin(x), x)\n"
            ),
            call="relax(jnp.ones(3))",
        ),
        hazard=Hazard("unrolls"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/control-flow.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (UnrolledLoop,)

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Say how often the program holds the body."""
        assert isinstance(event, UnrolledLoop)
        # Of loops in each other, the one is told that is long by itself.
        together = event.copies >= _LONG_TOGETHER and event.copies < _LONG * event.turns
        if event.turns < _LONG and not together:
            return None
        times = event.turns if event.turns >= _LONG else event.copies
        return (
            f"Python runs the loop over {operand_text(event)} while JAX traces: the program holds "
            f"its body {times} times.",
            "Use `jax.lax.fori_loop`, `jax.lax.scan` or `jax.vmap`.",
        )

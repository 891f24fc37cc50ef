"""JIT102: a while loop asks a traced value whether to go on."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, Loop
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, setting_remedy, static_phrase, traced_here
from jitlint.rules.meta import Example, RuleMeta


class LoopOnTracedCondition(Rule):
    """Reports ``while`` conditions."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT102",
        name="loop-on-traced-condition",
        summary="`while` on a traced condition",
        severity=Severity.ERROR,
        why=(
            "A Python `while` runs while JAX traces, and has to know after every turn whether "
            "there is another one. The condition has no value yet, so JAX raises "
            "TracerBoolConversionError (ValueError where the condition has several elements). "
            "A loop whose condition becomes traced only in a later turn fails in that turn."
        ),
        help=(
            "Write the loop with jax.lax.while_loop, or with jax.lax.fori_loop when the number of "
            "turns is known. If a bound is a setting, make that argument static; the loop is then "
            "unrolled while tracing."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def newton_sqrt(a, tolerance):\n"
                "    guess = a\n"
                "    while jnp.abs(guess * guess - a) > tolerance:\n"
                "        guess = 0.5 * (guess + a / guess)\n"
                "    return guess\n"
            ),
            call="newton_sqrt(2.0, 1e-3)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def newton_sqrt(a, tolerance):\n"
                "    def unfinished(guess):\n"
                "        return jnp.abs(guess * guess - a) > tolerance\n"
                "\n"
                "    def improve(guess):\n"
                "        return 0.5 * (guess + a / guess)\n"
                "\n"
                "    return jax.lax.while_loop(unfinished, improve, a)\n"
            ),
            call="newton_sqrt(2.0, 1e-3)",
        ),
        hazard=Hazard("raises", ("jax.errors.TracerBoolConversionError", "ValueError")),
        since="0.1.0",
        references=(
            "https://docs.jax.dev/en/latest/control-flow.html",
            "https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html",
        ),
    )
    events: ClassVar[tuple[type[Event], ...]] = (Loop,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Point to the loops of jax.lax."""
        return (
            f"{traced_here(event)}: `while` needs a Python bool on every turn.",
            setting_remedy(event)
            or f"Use `jax.lax.while_loop`, or {static_phrase(event, 'what bounds the loop')}.",
        )

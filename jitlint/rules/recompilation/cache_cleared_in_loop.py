"""JIT313: what was compiled is thrown away in every turn of a loop."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import ClearedCache, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import loop_of


class CacheClearedInLoop(Rule):
    """Reports jax.clear_caches() and f.clear_cache() where a loop calls the function again."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT313",
        name="cache-cleared-in-loop",
        summary="compiled programs are thrown away in a loop that needs them again",
        severity=Severity.WARNING,
        why=(
            "jax.clear_caches() forgets the compiled programs of every jitted function, and "
            "f.clear_cache() those of f: the next call traces and compiles again. In a loop, or "
            "in a function that a loop calls, every turn pays for that, and little memory is "
            "gained: programs are small next to arrays, and what is compiled again takes its place "
            "at once.\n\n"
            "Clearing between phases, at the end, under a condition that is seldom true, before a "
            "compilation is measured, and where each turn needs programs of its own is not "
            "reported."
        ),
        help=(
            "Clear once, behind the loop, or not at all. If memory grows, look for what makes JAX "
            "compile again and again: new shapes, new static values, new functions."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(weights, batch):\n"
                "    return weights - 0.1 * (weights - batch)\n"
                "\n"
                "\n"
                "def train(weights, batches):\n"
                "    for batch in batches:\n"
                "        weights = step(weights, batch)\n"
                "        jax.clear_caches()\n"
                "    return weights\n"
            ),
            call="train(jnp.zeros(3), jnp.ones((4, 3)))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(weights, batch):\n"
                "    return weights - 0.1 * (weights - batch)\n"
                "\n"
                "\n"
                "def train(weights, batches):\n"
                "    for batch in batches:\n"
                "        weights = step(weights, batch)\n"
                "    return weights\n"
            ),
            call="train(jnp.zeros(3), jnp.ones((4, 3)))",
        ),
        hazard=Hazard("recompiles"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/_autosummary/jax.clear_caches.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (ClearedCache,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say how often programs are thrown away, and where to do so instead."""
        assert isinstance(event, ClearedCache)
        where = f"{'in ' if event.made == 'turn' else ''}every {event.made} of {loop_of(event)}"
        return (
            f"{operand_text(event)} throws compiled programs away {where}, which then compiles "
            "them again.",
            "Clear once, behind the loop, or not at all.",
        )

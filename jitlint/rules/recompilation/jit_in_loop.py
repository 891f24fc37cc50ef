"""JIT302: the same function is jitted in every turn of a loop."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, JitInLoop
from jitlint.diagnostics import Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import loop_of


class JitInLoopRule(Rule):
    """Reports a jit in a loop that the cache serves."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT302",
        name="jit-in-loop",
        summary="jit of the same function in every turn of a loop; the cache serves it",
        severity=Severity.INFO,
        why=(
            "jit of the same function object with the same options finds the program that it "
            "compiled in the first turn, so nothing is compiled again. Each turn still makes a "
            "wrapper and looks its program up on the slow path, which takes some twenty times as "
            "long as calling a jitted function that was made before. It also is one edit away "
            "from real harm: with a lambda or a partial in the same place, every turn compiles."
        ),
        help="Apply jit once before the loop, or as a decorator, and call the result in the loop.",
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def step(value):\n"
                "    return value - 0.5 * jnp.tanh(value)\n"
                "\n"
                "\n"
                "def relax(x, steps):\n"
                "    for _ in range(steps):\n"
                "        x = jax.jit(step)(x)\n"
                "    return x\n"
            ),
            call="relax(jnp.ones(3), 4)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(value):\n"
                "    return value - 0.5 * jnp.tanh(value)\n"
                "\n"
                "\n"
                "def relax(x, steps):\n"
                "    for _ in range(steps):\n"
                "        x = step(x)\n"
                "    return x\n"
            ),
            call="relax(jnp.ones(3), 4)",
        ),
        hazard=None,
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (JitInLoop,)

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Say that only the wrapper is made again."""
        assert isinstance(event, JitInLoop)
        if event.made is not None:
            return None
        return (
            f"`{event.callee}` wraps {operand_text(event)} again in every turn of "
            f"{loop_of(event)}: the cache serves it, by a slow look-up.",
            f"Apply `{event.callee}` once before the loop.",
        )

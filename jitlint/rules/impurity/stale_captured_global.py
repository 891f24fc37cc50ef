"""JIT208: a compiled function keeps the old value of a global, an attribute or a variable."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, StaleCapture
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text, unless_resized
from jitlint.rules.meta import Example, RuleMeta


class StaleCapturedGlobal(Rule):
    """Reports what cached traces read of the outside, where that changes between calls."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT208",
        name="stale-captured-global",
        summary="a compiled function keeps the old value of something that changes outside",
        severity=Severity.WARNING,
        why=(
            "What a traced function reads of its surroundings (a global, a setting of another "
            "module, an attribute of a class or of a shared object, an entry of a dict, a variable "
            "of the function around it) becomes a constant of the compiled function. When that is "
            "changed later, calls with arguments of the same shapes do not trace again: they go on "
            "with the old value, and nothing is raised. To jit the same function again does not "
            "help: jax.jit(f) finds what was compiled for f, whoever had it compiled; nor that "
            "another trace calls it: what is jitted inside of it is kept.\n\n"
            "It is reported only where the project changes the value after a call of the compiled "
            "function and then calls it again; the explanation ends at that change. Values that "
            "are set before the first call, that only tests change, and new functions that are "
            "made and jitted after each change are fine. Where the next call may pass arrays of "
            "another size, which compile anew, it is only an info."
        ),
        help=(
            "Pass the value as an argument; if Python must know it, as a static one. Else clear "
            "the cache of the function after each change, f.clear_cache(), or make and jit a new "
            "one."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "RATE = 0.1\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(w):\n"
                "    return w - RATE * w\n"
                "\n"
                "\n"
                "def train(w):\n"
                "    global RATE\n"
                "    RATE = 0.1\n"
                "    for _ in range(3):\n"
                "        w = step(w)\n"
                "        RATE *= 0.5\n"
                "    return w\n"
            ),
            call="train(jnp.ones(2))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "RATE = 0.1\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(w, rate):\n"
                "    return w - rate * w\n"
                "\n"
                "\n"
                "def train(w):\n"
                "    rate = RATE\n"
                "    for _ in range(3):\n"
                "        w = step(w, rate)\n"
                "        rate *= 0.5\n"
                "    return w\n"
            ),
            call="train(jnp.ones(2))",
        ),
        hazard=Hazard("stale"),
        since="0.1.0",
    )
    events: ClassVar[tuple[type[Event], ...]] = (StaleCapture,)

    def severity(self, event: Event) -> Severity:
        """What is compiled for another size by then may be as it should: only worth an info."""
        assert isinstance(event, StaleCapture)
        return Severity.INFO if event.resized else super().severity(event)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is kept, and how it gets in."""
        assert isinstance(event, StaleCapture)
        return (
            f"{operand_text(event)} is read once, while tracing: the compiled function keeps that "
            f"value, although it is changed before the next call{unless_resized(event.resized)}.",
            "Pass it as an argument.",
        )

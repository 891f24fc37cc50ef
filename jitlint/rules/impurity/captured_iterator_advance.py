"""JIT210: an iterator from outside is advanced while tracing."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, IteratorAdvance
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class CapturedIteratorAdvance(Rule):
    """Reports elements that cached traces take from iterators which are older than they."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT210",
        name="captured-iterator-advance",
        summary="an iterator from outside is advanced once, while tracing",
        severity=Severity.WARNING,
        why=(
            "Iterators are Python: next(), or a for loop, takes elements from them while the "
            "function is traced, and what is taken becomes a part of the compiled function. Every "
            "later call gets the same batch, the same key, the same count; in the body of a scan, "
            "every iteration does. A generator that a for loop has walked through is spent: when "
            "the function is traced again, for another shape, the loop does nothing. Nothing is "
            "raised.\n\n"
            "Iterators that the trace makes itself begin anew each time and are fine, and so are "
            "lists, dicts and ranges."
        ),
        help=(
            "Take the element outside, and pass it as an argument. Random keys are split from a "
            "key that is passed or carried; numbers that a loop counts come from its carry."
        ),
        bad=Example(
            code=(
                "import itertools\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "counter = itertools.count(1)\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def decay(x):\n"
                "    return x / next(counter)\n"
            ),
            call="decay(jnp.ones(3))",
        ),
        good=Example(
            code=(
                "import itertools\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "counter = itertools.count(1)\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def decay(x, step):\n"
                "    return x / step\n"
            ),
            call="decay(jnp.ones(3), next(counter))",
        ),
        hazard=Hazard("stale"),
        since="0.1.0",
    )
    events: ClassVar[tuple[type[Event], ...]] = (IteratorAdvance,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is taken once, and where it should be taken."""
        assert isinstance(event, IteratorAdvance)
        if event.construct == "for":
            return (
                f"{operand_text(event)} is an iterator from outside: this loop walks through it "
                "once, while tracing, and finds it spent when the function is traced again.",
                "Make a list or tuple of it outside.",
            )
        return (
            f"{operand_text(event)} is advanced once, while tracing, and every call or iteration "
            "of what is compiled gets the same element.",
            "Take the element outside, and pass it as an argument.",
        )

"""JIT215: the same random numbers, drawn again with the same key."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, RepeatedDraw
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class RepeatedRandomDraw(Rule):
    """Reports calls of samplers that are made again with nothing changed."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT215",
        name="repeated-random-draw",
        summary="the same call draws again with the same key, and gets the same numbers",
        severity=Severity.WARNING,
        why=(
            "A sampler of jax.random is a function of its arguments, and no generator that goes "
            "on: the same key, shape and parameters give the same numbers, whenever it is called. "
            "So two layers begin with equal weights and stay equal, every epoch goes through the "
            "data in the same order, every step of a simulation gets the same noise. Nothing is "
            "raised, and each of the draws looks random.\n\n"
            "Reported is a call that stands again further down, word by word, with nothing bound "
            "anew in between, in a script only if what both give is used together; one in a "
            "Python loop that changes none of the names in it; and one "
            "in the body of a loop that JAX runs (scan, fori_loop, while_loop, map) with a key "
            "from outside. Draws of other shapes or by other samplers are related as well, but "
            "not equal, and not reported. Nor are while loops, which search, loops that go through "
            "cases that are listed, functions that measure, what is only shown, and what tests "
            "do."
        ),
        help=(
            "Split the key, one for each draw: key, subkey = jax.random.split(key); in a loop, "
            "carry the key and split it in every turn, or draw with "
            "jax.random.fold_in(key, turn)."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "\n"
                "\n"
                "def gates(key, width):\n"
                "    forget = jax.random.normal(key, (width, width))\n"
                "    update = jax.random.normal(key, (width, width))\n"
                "    return forget, update\n"
            ),
            call="gates(jax.random.key(0), 4)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "\n"
                "\n"
                "def gates(key, width):\n"
                "    first, second = jax.random.split(key)\n"
                "    forget = jax.random.normal(first, (width, width))\n"
                "    update = jax.random.normal(second, (width, width))\n"
                "    return forget, update\n"
            ),
            call="gates(jax.random.key(0), 4)",
        ),
        hazard=Hazard("silently-wrong"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/random-numbers.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (RepeatedDraw,)

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Say when the same numbers come; tests want them to."""
        assert isinstance(event, RepeatedDraw)
        if event.in_test:
            return None
        key = operand_text(event)
        return (
            f"`{event.callee}` draws the same numbers {_AGAIN[event.again]}: {key} is the same "
            "key.",
            _ADVICE[event.again],
        )


_AGAIN = {
    "call": "as the same call further up",
    "turn": "in every turn of the loop",
    "iteration": "in every iteration",
}
_ADVICE = {
    "call": "Split it, one for each draw.",
    "turn": "Split it in every turn, or fold in its number.",
    "iteration": "Carry it and split it, or fold in the iteration.",
}

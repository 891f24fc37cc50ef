"""JIT213: a random key that is made of a constant in a compiled function."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import ConstantKey, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class ConstantPRNGKey(Rule):
    """Reports keys that cached traces make of constants, where numbers are drawn with them."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT213",
        name="constant-prng-key",
        summary="a compiled function draws with a key that is the same in every call",
        severity=Severity.WARNING,
        why=(
            "jax.random is a function of its key: the same key gives the same numbers. A key that "
            "the compiled function makes of a constant is the same one in every call, and so is "
            "all that is split from it: the dropout mask never changes, every step adds the same "
            "noise, an agent explores by the same draw for ever. In the body of a loop every "
            "iteration repeats it. Nothing is raised.\n\n"
            "Keys that something varies are fine: a traced step that is folded in, a seed that is "
            "an argument. So are functions that take no arrays and only make the numbers that "
            "something begins with, keys outside of compiled functions, those under "
            "jax.eval_shape, those that stand in where no key is passed, those that a comment "
            "calls fixed or reproducible, those of tests, and those of which every caller in sight "
            "throws away what is drawn."
        ),
        help=(
            "Take the key as an argument, and split it outside for every call; or fold in what "
            "differs from call to call: jax.random.fold_in(key, step)."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def dropout(x):\n"
                "    key = jax.random.key(0)\n"
                "    keep = jax.random.bernoulli(key, 0.5, x.shape)\n"
                "    return jnp.where(keep, 2.0 * x, 0.0)\n"
            ),
            call="[dropout(jnp.ones(16)) for _ in range(2)]",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def dropout(x, key):\n"
                "    keep = jax.random.bernoulli(key, 0.5, x.shape)\n"
                "    return jnp.where(keep, 2.0 * x, 0.0)\n"
            ),
            call=("[dropout(jnp.ones(16), key) for key in jax.random.split(jax.random.key(0))]"),
        ),
        hazard=Hazard("stale"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/random-numbers.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (ConstantKey,)

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Say that the numbers repeat, and what would vary them; tests want them to."""
        assert isinstance(event, ConstantKey)
        if event.in_test:
            return None
        if event.repeats == "iteration":
            fault = f"{operand_text(event)} is the same key in every iteration, which draws the"
            return f"{fault} same numbers.", "Fold in the iteration, or carry the key and split it."
        fault = f"{operand_text(event)} is the same key in every call of the compiled function,"
        return (
            f"{fault} which draws the same numbers each time.",
            "Pass the key as an argument, or fold in what differs from call to call.",
        )

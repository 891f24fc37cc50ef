"""JIT307: an argument has another shape in every turn of a loop."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, VaryingShapeArgument
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import loop_of

_MASK = "Pad it to a fixed length, or to one of a few, and mask the rest."
#: by how a shape changes: what is said of the subject, and the cure
_WORDS = {
    "grows": (
        "{} is of another length each time",
        "Write into a buffer of fixed size, and pass how much of it is filled.",
    ),
    "follows": (
        "its size follows {}",
        "Pass all of it and mask the rest, or take a window of fixed size with "
        "`jax.lax.dynamic_slice`.",
    ),
    "selected": (
        "it is as long as the values in {} say",
        "Keep all of it and mask what is not wanted, or select with `size=`.",
    ),
    "text": ("{} has another length each time", _MASK),
    "": ("what it is given has another size each time", _MASK),
}


class NewShapeInLoop(Rule):
    """Reports arrays that grow, follow a counter or are cut by their values, passed in loops."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT307",
        name="varying-shape-argument",
        summary="an argument has another shape in every turn of a loop",
        severity=Severity.WARNING,
        why=(
            "JAX compiles a program for each shape. An array that grows by a row in every turn, a "
            "slice up to the counter, what a mask leaves of an array, a group of rows, an array "
            "as long as somebody has drawn or the words of a sentence have another shape each "
            "time, and so has a list that is appended to, since its "
            "length is part of the structure of a pytree: every turn compiles, and every program "
            "is kept. The last of several batches, if it is smaller, costs one more program.\n\n"
            "Windows of one size, what is padded, two or three known turns, and loops that "
            "measure what each size costs are not reported, nor are batches of which the code "
            "does not say whether they come out even."
        ),
        help=(
            "Keep shapes fixed: write into a buffer with .at[i].set and pass the number of rows "
            "that count, pad to a few sizes and mask the rest, take windows with "
            "jax.lax.dynamic_slice, drop the last partial batch or pad it."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def next_token(tokens):\n"
                "    return tokens.sum() % 7\n"
                "\n"
                "\n"
                "def generate(tokens, count):\n"
                "    for _ in range(count):\n"
                "        token = next_token(tokens)\n"
                "        tokens = jnp.append(tokens, token)\n"
                "    return tokens\n"
            ),
            call="generate(jnp.arange(3), 4)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def next_token(buffer, length):\n"
                "    used = jnp.arange(len(buffer)) < length\n"
                "    return jnp.sum(jnp.where(used, buffer, 0)) % 7\n"
                "\n"
                "\n"
                "def generate(tokens, count):\n"
                "    buffer = jnp.zeros(64, tokens.dtype).at[: len(tokens)].set(tokens)\n"
                "    for length in range(len(tokens), len(tokens) + count):\n"
                "        buffer = buffer.at[length].set(next_token(buffer, length))\n"
                "    return buffer\n"
            ),
            call="generate(jnp.arange(3), 4)",
        ),
        hazard=Hazard("recompiles"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (VaryingShapeArgument,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is compiled again, and for what of which size."""
        assert isinstance(event, VaryingShapeArgument)
        if event.how == "left over":
            return (
                f"`{event.callee}` is compiled once more for the last part: {operand_text(event)} "
                f"is smaller there, as what is left of `{event.subject}`.",
                "Pad it to the size of the others and mask the rest, or leave it out.",
            )
        where = f"in every turn of {loop_of(event)}"
        reason, cure = _WORDS[event.how]
        reason = reason.format(f"`{event.subject}`")
        return (
            f"`{event.callee}` is compiled again {where} for {operand_text(event)}: {reason}.",
            cure,
        )

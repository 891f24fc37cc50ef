"""JIT310: an array that is read after it was donated."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import DonatedBufferReuse, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class DonatedBufferReuseRule(Rule):
    """Reports reads of arrays whose memory a jitted function has taken for its results."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT310",
        name="donated-buffer-reuse",
        summary="an array is read after it was donated to a jitted function",
        severity=Severity.ERROR,
        why=(
            "A donated argument gives its memory to an output of the same shape and type, and is "
            "deleted: whatever reads it afterwards raises RuntimeError, or ValueError where it is "
            "passed to a jitted function again. That holds under every name of the array, in "
            "every container that has it, and in the next turn of a loop. Its shape and dtype may "
            "still be asked for. A donation that fits no output is not carried out."
        ),
        help=(
            "Bind the result to the name of what was donated (`params = step(params, batch)`), "
            "read or copy what is needed before the call, or do not donate the argument."
        ),
        bad=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@partial(jax.jit, donate_argnums=0)\n"
                "def step(params, batch):\n"
                "    return params - 0.1 * jnp.mean(batch) * params\n"
                "\n"
                "\n"
                "def change(params, batch):\n"
                "    new = step(params, batch)\n"
                "    return jnp.abs(new - params).max()\n"
            ),
            call="change(jnp.ones(3), jnp.ones(2))",
        ),
        good=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@partial(jax.jit, donate_argnums=0)\n"
                "def step(params, batch):\n"
                "    new = params - 0.1 * jnp.mean(batch) * params\n"
                "    return new, jnp.abs(new - params).max()\n"
                "\n"
                "\n"
                "def change(params, batch):\n"
                "    params, moved = step(params, batch)\n"
                "    return moved\n"
            ),
            call="change(jnp.ones(3), jnp.ones(2))",
        ),
        hazard=Hazard("raises", ("RuntimeError", "ValueError", "jax.errors.JaxRuntimeError")),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/buffer_donation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (DonatedBufferReuse,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the array and the function that took its memory."""
        assert isinstance(event, DonatedBufferReuse)
        fault = (
            f"{operand_text(event)} is read after its memory was donated to `{event.callee}`: "
            "it is deleted."
        )
        return fault, (
            f"Use what `{event.callee}` returns, read or copy the array before the call, or do "
            "not donate it."
        )

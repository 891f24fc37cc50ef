"""JIT314: a large array from outside that a jitted function reads."""

from __future__ import annotations

import math
from typing import ClassVar

from jitlint.absint.events import CapturedConstant, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class LargeCapturedConstant(Rule):
    """Reports large arrays that become part of a compiled program."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT314",
        name="large-captured-constant",
        summary="a large array that is captured by a jitted function and written into its program",
        severity=Severity.INFO,
        why=(
            "An array that a jitted function reads without being given it is a constant of the "
            "compiled program: all of its elements are written there, once for each jitted "
            "function, 8 MB of text for 4 MB of numbers. That takes time and memory whenever "
            "something is compiled, the compiler may try to compute with it, and a later change "
            "of the array is not seen."
        ),
        help=(
            "Pass the array as an argument, or keep it in a pytree that is passed: model "
            "parameters, a batch. What is cheap to compute can be made inside with jnp."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "import numpy as np\n"
                "\n"
                "TABLE = np.random.default_rng(0).normal(size=(1000, 300)).astype(np.float32)\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_row(tokens):\n"
                "    return jnp.asarray(TABLE)[tokens].mean(0)\n"
            ),
            call="mean_row(jnp.arange(3))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "import numpy as np\n"
                "\n"
                "TABLE = np.random.default_rng(0).normal(size=(1000, 300)).astype(np.float32)\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_row(table, tokens):\n"
                "    return table[tokens].mean(0)\n"
            ),
            call="mean_row(TABLE, jnp.arange(3))",
        ),
        hazard=Hazard("bloats"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (CapturedConstant,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say how large the array is."""
        assert isinstance(event, CapturedConstant)
        size = f"{4 * math.prod(event.shape) / 1e6:.0f} MB"
        return (
            f"{operand_text(event)} is captured: its {size} become part of the compiled program.",
            "Pass it as an argument.",
        )

"""JIT403: 64 bits are asked of JAX, which has them only where x64 is turned on."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, WideDtype
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class Float64WithoutX64(Rule):
    """Reports dtypes of 64 bits in projects that never turn x64 on."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT403",
        name="float64-without-x64",
        summary="a dtype of 64 bits is asked of JAX while x64 is off: 32 bits come",
        severity=Severity.WARNING,
        why=(
            "Unless jax_enable_x64 is turned on, JAX has no float64, int64, uint64 or complex128. "
            "It warns once and gives the dtype of half the width. Sums lose digits from the "
            "seventh on, integers overflow beyond 2**31, and what was meant to be more precise is "
            "not.\n\n"
            "It is reported where no program that the code is part of turns x64 on: no "
            "configuration of JAX, no context, no environment variable, neither in what it "
            "imports and what imports it, tests included, nor in the project's automation."
        ),
        help=(
            'Turn x64 on before the first array is made: jax.config.update("jax_enable_x64", '
            "True), or JAX_ENABLE_X64=1 in the environment. Where 32 bits are enough, ask for "
            "them."
        ),
        bad=Example(
            code=(
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def total(values):\n"
                "    return jnp.sum(jnp.asarray(values), dtype=jnp.float64)\n"
            ),
            call="total([1e8, 1.0, -1e8])",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                'jax.config.update("jax_enable_x64", True)\n'
                "\n"
                "\n"
                "def total(values):\n"
                "    return jnp.sum(jnp.asarray(values), dtype=jnp.float64)\n"
            ),
            call="total([1e8, 1.0, -1e8])",
        ),
        hazard=Hazard("silently-wrong"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/default_dtypes.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (WideDtype,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what comes in place of what is asked for."""
        assert isinstance(event, WideDtype)
        asked = "" if event.callee == event.operand else f" of `{event.callee}`"
        return (
            f"{operand_text(event)} is asked{asked}, but no program that runs this turns x64 "
            f"on: JAX gives `{event.given}`.",
            f"Turn on `jax_enable_x64`, or ask for `{event.given}`.",
        )

"""JIT103: an assert asks a traced value for its truth."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Assertion, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, setting_remedy, traced_here
from jitlint.rules.meta import Example, RuleMeta


class AssertOnTracedValue(Rule):
    """Reports ``assert`` statements, and assertions of chex on values."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT103",
        name="assert-on-traced-value",
        summary="`assert` on a traced value",
        severity=Severity.ERROR,
        why=(
            "`assert` is a branch: it needs a bool while JAX traces, when the values to be checked "
            "do not exist, so the check itself raises TracerBoolConversionError (ValueError for "
            "several elements). chex's assertions on values, such as assert_trees_all_close, raise "
            "RuntimeError unless chex.chexify wraps the function. Asserting shapes, dtypes and "
            "tree structure works, as these are known while tracing."
        ),
        help=(
            "Check values outside the traced function, or inside it with jax.experimental.checkify "
            "or jax.debug.print; keep assert for shapes and dtypes."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def normalise(weights):\n"
                "    total = weights.sum()\n"
                "    assert total > 0, 'weights must not all be zero'\n"
                "    return weights / total\n"
            ),
            call="normalise(jnp.ones(3))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "from jax.experimental import checkify\n"
                "\n"
                "\n"
                "def _normalise(weights):\n"
                "    assert weights.ndim == 1\n"
                "    total = weights.sum()\n"
                "    checkify.check(total > 0, 'weights must not all be zero')\n"
                "    return weights / total\n"
                "\n"
                "\n"
                "normalise = jax.jit(checkify.checkify(_normalise))\n"
            ),
            call="normalise(jnp.ones(3))",
        ),
        hazard=Hazard("raises", ("jax.errors.TracerBoolConversionError", "ValueError")),
        since="0.1.0",
        references=(
            "https://docs.jax.dev/en/latest/errors.html",
            "https://docs.jax.dev/en/latest/debugging/checkify_guide.html",
        ),
    )
    events: ClassVar[tuple[type[Event], ...]] = (Assertion,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Point to checks that work while tracing."""
        if isinstance(event, Assertion) and event.callee:
            wrapping = ", or wrap the outermost jitted function in `chex.chexify`"
            return (
                f"{traced_here(event)}: `{event.callee}` needs its elements, which no trace has.",
                f"Check it outside the traced function{wrapping if event.wrapped else ''}.",
            )
        return (
            f"{traced_here(event)}: `assert` needs a Python bool.",
            setting_remedy(event)
            or "Check it outside the traced function, or use `jax.experimental.checkify.check`.",
        )

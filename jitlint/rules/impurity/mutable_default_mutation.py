"""JIT211: a mutable default is changed while tracing."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import DefaultMutation, Effect, Event
from jitlint.diagnostics import Severity
from jitlint.rules.base import operand_text
from jitlint.rules.impurity.effect_rule import ONCE, RUNS_ONCE, EffectRule, action_text, condition
from jitlint.rules.meta import Example, RuleMeta


class MutableDefaultMutation(EffectRule):
    """Reports changes of a default that all calls share."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT211",
        name="mutable-default-mutation",
        summary="a mutable default argument is changed inside a trace",
        severity=Severity.WARNING,
        why=(
            "A default such as [] is made once, with the function, and shared by all calls. "
            "Changed inside a trace, it outlives the trace: a traced value stored in it leaks, "
            "under every transform, and the next trace finds a dead tracer there. Any other change "
            "happens once, while tracing, and not on later calls of the compiled function, so that "
            "the next trace (another shape, another dtype) starts from what the last one left."
        ),
        help=(
            "Use None as the default and make the container in the body, or take it as an argument "
            "and return it."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def stretch(x, scales=[1.0]):\n"
                "    scales.append(2.0)\n"
                "    return x * sum(scales)\n"
            ),
            call="stretch(jnp.ones(3))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def stretch(x, scales=None):\n"
                "    scales = [1.0] if scales is None else list(scales)\n"
                "    scales.append(2.0)\n"
                "    return x * sum(scales)\n"
            ),
            call="stretch(jnp.ones(3))",
        ),
        hazard=RUNS_ONCE,
        since="0.1.0",
        references=(
            "https://docs.python.org/3/reference/compound_stmts.html#function-definitions",
        ),
    )
    events: ClassVar[tuple[type[Event], ...]] = (DefaultMutation,)

    def leak(self, event: Effect) -> tuple[str, str]:
        """Say that the default keeps a tracer."""
        assert isinstance(event, DefaultMutation)
        return (
            f"The default of {operand_text(event)} is shared by all calls: "
            f"{action_text(event.action)} leaves a tracer in it{condition(event)}, and using that "
            "later raises.",
            "Use `None` as the default and make the container in the body.",
        )

    def once(self, event: Effect) -> tuple[str, str]:
        """Say that the default is changed once."""
        assert isinstance(event, DefaultMutation)
        return (
            f"The default of {operand_text(event)} is shared by all calls: "
            f"{action_text(event.action)} changes it {ONCE}.",
            "Use `None` as the default and make the container in the body.",
        )

"""JIT202: a container from outside the trace is changed."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import CapturedMutation, Effect, Event
from jitlint.diagnostics import Severity
from jitlint.rules.base import operand_text
from jitlint.rules.impurity.effect_rule import LEAKS, ONCE, EffectRule, action_text, condition
from jitlint.rules.meta import Example, RuleMeta


class CapturedContainerMutation(EffectRule):
    """Reports changes of lists, dicts, sets and NumPy arrays that outlive the trace."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT202",
        name="captured-container-mutation",
        summary="a list, dict, set or NumPy array from outside the trace is changed inside it",
        severity=Severity.ERROR,
        why=(
            "What a traced function stores in a container from outside is stored while tracing. A "
            "traced value stored there leaks: the container then holds a tracer, a placeholder "
            "without a value, and using it later raises UnexpectedTracerError, far from the cause. "
            "This happens under every transform, under grad and vmap too.\n\n"
            "A Python value does not leak, but where the trace is cached (jit, control flow) it is "
            "stored once and not on later calls; such reports are warnings. Containers made during "
            "the trace may be changed freely, and an entry that follows from others of its "
            'container (`config["updates"] = config["steps"] // config["envs"]`) stays the same.'
        ),
        help=(
            "Return the value and store it outside, collect a sequence with jax.lax.scan, which "
            "stacks what its body returns, or pass it to the host with jax.debug.callback or "
            "jax.experimental.io_callback."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "history = []\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def train_step(params, batch):\n"
                "    loss = jnp.mean((batch - params) ** 2)\n"
                "    history.append(loss)\n"
                "    return params - 0.1 * loss\n"
            ),
            call="train_step(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "history = []\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def update(params, batch):\n"
                "    loss = jnp.mean((batch - params) ** 2)\n"
                "    return params - 0.1 * loss, loss\n"
                "\n"
                "\n"
                "def train_step(params, batch):\n"
                "    params, loss = update(params, batch)\n"
                "    history.append(loss)\n"
                "    return params\n"
            ),
            call="train_step(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        hazard=LEAKS,
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (CapturedMutation,)

    def leak(self, event: Effect) -> tuple[str, str]:
        """Say that a tracer is left in the container."""
        assert isinstance(event, CapturedMutation)
        return (
            f"{operand_text(event)} outlives the trace: {action_text(event.action)} leaves a "
            f"tracer in it{condition(event)}, and using that later raises.",
            "Return the value, or carry it through `jax.lax.scan`.",
        )

    def once(self, event: Effect) -> tuple[str, str]:
        """Say that the container is changed once."""
        assert isinstance(event, CapturedMutation)
        return (
            f"{operand_text(event)} outlives the trace: {action_text(event.action)} changes it "
            f"{ONCE}.",
            "Change it outside, or in a `jax.experimental.io_callback`.",
        )

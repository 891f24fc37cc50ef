"""JIT203: a global or nonlocal name is bound while tracing."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Effect, Event, OuterAssignment
from jitlint.diagnostics import Severity
from jitlint.rules.base import operand_text
from jitlint.rules.impurity.effect_rule import LEAKS, ONCE, EffectRule, condition
from jitlint.rules.meta import Example, RuleMeta


class GlobalOrNonlocalAssignment(EffectRule):
    """Reports assignments to names that outlive the trace."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT203",
        name="global-or-nonlocal-assignment",
        summary="a `global` or `nonlocal` name from outside the trace is bound inside it",
        severity=Severity.ERROR,
        why=(
            "The assignment runs while tracing. A traced value bound to a global or nonlocal name "
            "leaks: the name then holds a tracer, and using it later raises UnexpectedTracerError, "
            "under every transform.\n\n"
            "A Python value (a counter, a flag) does not leak, but where the trace is cached it is "
            "bound once per compilation and not on every call, so that a counter counts traces; "
            "such reports are warnings. A nonlocal name of a function that itself runs during the "
            "trace may be bound freely."
        ),
        help=(
            "Return the new value and bind it outside, or carry it as part of the state that the "
            "function takes and returns."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "last_loss = None\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def train_step(params, batch):\n"
                "    global last_loss\n"
                "    last_loss = jnp.mean((batch - params) ** 2)\n"
                "    return params - 0.1 * last_loss\n"
            ),
            call="train_step(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "last_loss = None\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def update(params, batch):\n"
                "    loss = jnp.mean((batch - params) ** 2)\n"
                "    return params - 0.1 * loss, loss\n"
                "\n"
                "\n"
                "def train_step(params, batch):\n"
                "    global last_loss\n"
                "    params, last_loss = update(params, batch)\n"
                "    return params\n"
            ),
            call="train_step(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        hazard=LEAKS,
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (OuterAssignment,)

    def leak(self, event: Effect) -> tuple[str, str]:
        """Say that the name keeps a tracer."""
        assert isinstance(event, OuterAssignment)
        return (
            f"The {event.scope} name {operand_text(event)} outlives the trace: the assignment "
            f"leaves a tracer in it{condition(event)}, and using that later raises.",
            "Return the value, or carry it through `jax.lax.scan`.",
        )

    def once(self, event: Effect) -> tuple[str, str]:
        """Say that the name is bound once."""
        assert isinstance(event, OuterAssignment)
        return (
            f"The {event.scope} name {operand_text(event)} outlives the trace: it is assigned "
            f"{ONCE}.",
            "Return the new value and assign it outside.",
        )

"""JIT204: an attribute of an object from outside the trace is set."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import AttributeAssignment, Effect, Event
from jitlint.diagnostics import Severity
from jitlint.rules.base import operand_text
from jitlint.rules.impurity.effect_rule import LEAKS, ONCE, EffectRule, condition
from jitlint.rules.meta import Example, RuleMeta


class CapturedAttributeAssignment(EffectRule):
    """Reports attributes set on objects that outlive the trace."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT204",
        name="captured-attribute-assignment",
        summary="an attribute of an object from outside the trace is set inside it",
        severity=Severity.ERROR,
        why=(
            "An attribute set in a traced function is set while tracing. A traced value stored "
            "there leaks: the object then holds a tracer, and using it later raises "
            "UnexpectedTracerError, under every transform. Methods that keep their state in self "
            "are the usual case.\n\n"
            "A Python value does not leak, but where the trace is cached the attribute is set once "
            "and not on later calls; such reports are warnings. Objects made during the trace may "
            "be changed freely, and a function or object that follows from a static object alone "
            "(`self.optimizer = optax.adam(self.rate)`) is the same in every trace of that."
        ),
        help=(
            "Make the state an argument and return the new state (a NamedTuple, a registered "
            "dataclass, an Equinox module), and set attributes only outside of traced functions."
        ),
        bad=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "class Average:\n"
                "    def __init__(self):\n"
                "        self.total = jnp.zeros(3)\n"
                "\n"
                "    @partial(jax.jit, static_argnums=0)\n"
                "    def add(self, x):\n"
                "        self.total = self.total + x\n"
                "        return self.total\n"
                "\n"
                "\n"
                "average = Average()\n"
            ),
            call="average.add(jnp.ones(3))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def _add(total, x):\n"
                "    return total + x\n"
                "\n"
                "\n"
                "class Average:\n"
                "    def __init__(self):\n"
                "        self.total = jnp.zeros(3)\n"
                "\n"
                "    def add(self, x):\n"
                "        self.total = _add(self.total, x)\n"
                "        return self.total\n"
                "\n"
                "\n"
                "average = Average()\n"
            ),
            call="average.add(jnp.ones(3))",
        ),
        hazard=LEAKS,
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (AttributeAssignment,)

    def leak(self, event: Effect) -> tuple[str, str]:
        """Say that the object keeps a tracer."""
        return (
            f"{_setting(event)} leaves a tracer in an object that outlives the "
            f"trace{condition(event)}, and using that later raises.",
            "Take the state as an argument and return the new value.",
        )

    def once(self, event: Effect) -> tuple[str, str]:
        """Say that the attribute is set once."""
        return (
            f"{_setting(event)} changes an object that outlives the trace, but only {ONCE}.",
            "Return the new value and set it outside.",
        )


def _setting(event: Effect) -> str:
    # The operand is the attribute, or a whole call of setattr.
    verb = "Calling" if event.operand.endswith(")") else "Setting"
    return f"{verb} {operand_text(event)}"

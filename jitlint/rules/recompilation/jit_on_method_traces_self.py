"""JIT309: a transform on a method traces ``self``, which is no pytree."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, TracedSelf
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class JitOnMethodTracesSelf(Rule):
    """Reports transforms on methods of classes that are no pytrees."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT309",
        name="jit-on-method-traces-self",
        summary="a transform on a method of a class that is no pytree",
        severity=Severity.ERROR,
        why=(
            "As a decorator in a class body, jit sees a plain function whose first parameter is "
            "self, and traces it like any other argument. JAX can only take an instance apart "
            "when its class is a pytree; for any other class every call raises TypeError. "
            "Equinox modules, flax.nnx modules, flax.struct and chex dataclasses, NamedTuples and "
            "registered classes are pytrees; plain classes, dataclasses and Flax linen modules "
            "are not, and neither is a subclass of a registered class.\n\n"
            "With self static (static_argnums=0), the object is part of the cache key: it must be "
            "hashable, and a later change of its attributes goes unnoticed."
        ),
        help=(
            "Jit a function that takes the arrays and call it from the method; register the class "
            "as a pytree (jax.tree_util.register_dataclass); or make self static with "
            "static_argnums=0, if the object is hashable and never changes."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "class Scaler:\n"
                "    def __init__(self, factor):\n"
                "        self.factor = factor\n"
                "\n"
                "    @jax.jit\n"
                "    def apply(self, x):\n"
                "        return self.factor * x\n"
            ),
            call="Scaler(2.0).apply(jnp.ones(3))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def scale(factor, x):\n"
                "    return factor * x\n"
                "\n"
                "\n"
                "class Scaler:\n"
                "    def __init__(self, factor):\n"
                "        self.factor = factor\n"
                "\n"
                "    def apply(self, x):\n"
                "        return scale(self.factor, x)\n"
            ),
            call="Scaler(2.0).apply(jnp.ones(3))",
        ),
        hazard=Hazard("raises", ("TypeError",)),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/faq.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (TracedSelf,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the class that is no pytree, and the three ways out."""
        assert isinstance(event, TracedSelf)
        return (
            f"`{event.callee}` on the method {operand_text(event)} traces `self`, and "
            f"`{event.cls}` is no pytree: every call raises TypeError.",
            f"Jit a function that takes the arrays, register `{event.cls}` as a pytree, or pass "
            "`static_argnums=0` if it is hashable and never changes.",
        )

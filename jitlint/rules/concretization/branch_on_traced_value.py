"""JIT101: Python chooses a branch by a traced value."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Branch, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, setting_remedy, traced_here
from jitlint.rules.meta import Example, RuleMeta

_NEEDS = {
    "if": "`if` needs a Python bool",
    "elif": "`elif` needs a Python bool",
    "conditional expression": "a conditional expression needs a Python bool",
    "comprehension if": "the `if` of a comprehension needs a Python bool",
    "match": "`match` must know whether it equals a pattern",
}

_REMEDIES = {
    "if": "Use `jnp.where` or `jax.lax.cond`.",
    "elif": "Use `jnp.select`, nested `jnp.where` or `jax.lax.cond`.",
    "conditional expression": "Use `jnp.where(condition, a, b)` or `jax.lax.cond`.",
    "comprehension if": "Keep every element and mask with `jnp.where` instead.",
    "match": "Use `jax.lax.switch` on an index, or `jnp.select`.",
}


class BranchOnTracedValue(Rule):
    """Reports ``if``, ``elif``, conditional expressions, comprehension conditions and ``match``."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT101",
        name="branch-on-traced-value",
        summary="`if`, `elif`, a conditional expression or `match` on a traced value",
        severity=Severity.ERROR,
        why=(
            "While JAX traces a function, its arrays have a shape and a dtype but no values. "
            "Python must decide at once which branch to take, so it asks the traced value for a "
            "bool, and JAX raises TracerBoolConversionError. A value with several elements raises "
            "ValueError instead, as its truth would be ambiguous in any case.\n\n"
            "Conditions on what is static while tracing are fine: shapes, dtypes, `is None`, "
            "isinstance, static arguments and Python values that the function closes over."
        ),
        help=(
            "Select values with jnp.where, or choose between computations with jax.lax.cond or "
            "jax.lax.switch. If the condition is a setting rather than data, make the argument "
            "static with static_argnames."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def clipped_step(grad, limit):\n"
                "    norm = jnp.linalg.norm(grad)\n"
                "    if norm > limit:\n"
                "        grad = grad * (limit / norm)\n"
                "    return grad\n"
            ),
            call="clipped_step(jnp.ones(3), 1.0)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def clipped_step(grad, limit):\n"
                "    norm = jnp.linalg.norm(grad)\n"
                "    return jnp.where(norm > limit, grad * (limit / norm), grad)\n"
            ),
            call="clipped_step(jnp.ones(3), 1.0)",
        ),
        hazard=Hazard("raises", ("jax.errors.TracerBoolConversionError", "ValueError")),
        since="0.1.0",
        references=(
            "https://docs.jax.dev/en/latest/errors.html",
            "https://docs.jax.dev/en/latest/control-flow.html",
        ),
    )
    events: ClassVar[tuple[type[Event], ...]] = (Branch,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the construct, and the JAX construct that does the same."""
        assert isinstance(event, Branch)
        needs = _NEEDS.get(event.construct, "Python needs a bool")
        remedy = setting_remedy(event) or _REMEDIES.get(event.construct, _REMEDIES["if"])
        return f"{traced_here(event)}: {needs}.", remedy

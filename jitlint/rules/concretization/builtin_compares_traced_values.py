"""JIT110: a builtin compares traced values behind the scenes."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import BuiltinComparison, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, traced_here
from jitlint.rules.meta import Example, RuleMeta

_REMEDIES = {
    "min": "Use `jnp.minimum(a, b)`, or `jnp.min` of one array.",
    "max": "Use `jnp.maximum(a, b)`, or `jnp.max` of one array.",
    "sorted": "Use `jnp.sort`, or `jnp.argsort` to order other arrays by it.",
    "any": "Use `jnp.any`.",
    "all": "Use `jnp.all`.",
    "in": "Use `jnp.isin`, or `jnp.any(values == x)`.",
    "not in": "Use `jnp.isin(..., invert=True)`, or `jnp.all(values != x)`.",
    "filter": "Keep every element and mask with `jnp.where`.",
    "list.index": "Use `jnp.argmax(values == x)`.",
    "list.count": "Use `jnp.sum(values == x)`.",
    "list.sort": "Use `jnp.sort`.",
    "index": "Use `jnp.argmax(values == x)`.",
    "count": "Use `jnp.sum(values == x)`.",
    "sort": "Use `jnp.sort`.",
    "bisect": "Use `jnp.searchsorted`.",
    "heapq": "Use `jnp.sort` or `jax.lax.top_k`.",
}
#: functions of one array, for what is given several values
_OF_SEVERAL = {"min": "min", "max": "max", "sorted": "sort", "any": "any", "all": "all"}
#: functions that say where a value is, for what is ordered with something beside it
_OF_PARTS = {
    "min": "jnp.argmin",
    "max": "jnp.argmax",
    "sorted": "jnp.argsort",
    "sort": "jnp.argsort",
}
_TWO_WORDS = {
    "in": "membership with `in` compares it",
    "not in": "membership with `not in` compares it",
}


class BuiltinComparesTracedValues(Rule):
    """Reports ``min``, ``max``, ``sorted``, ``any``, ``all``, ``in`` and their like."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT110",
        name="builtin-compares-traced-values",
        summary="`min`, `max`, `sorted`, `any`, `all` or `in` on traced values",
        severity=Severity.ERROR,
        why=(
            "Python's min, max and sorted compare their elements with < or > and ask each result "
            "for a bool; any and all ask every element; `in` asks every == . None of these bools "
            "exists while JAX traces, so TracerBoolConversionError is raised (ValueError where "
            "the compared values have several elements). sum and abs are fine: they only add and "
            "call a method of the array."
        ),
        help=(
            "Use the array functions: jnp.minimum, jnp.maximum, jnp.sort, jnp.any, jnp.all, "
            "jnp.isin."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def capped_loss(logit, cap):\n"
                "    loss = jnp.log1p(jnp.exp(-logit))\n"
                "    return min(loss, cap)\n"
            ),
            call="capped_loss(0.3, 1.0)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def capped_loss(logit, cap):\n"
                "    loss = jnp.log1p(jnp.exp(-logit))\n"
                "    return jnp.minimum(loss, cap)\n"
            ),
            call="capped_loss(0.3, 1.0)",
        ),
        hazard=Hazard("raises", ("jax.errors.TracerBoolConversionError", "ValueError")),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (BuiltinComparison,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the builtin and its twin for arrays."""
        assert isinstance(event, BuiltinComparison)
        name = event.builtin.removesuffix("()")
        family, ordering = name.partition(".")[0], name.removeprefix(".")
        remedy = _REMEDIES.get(ordering) or _REMEDIES.get(family)
        if event.parts and name.lstrip(".") in _OF_PARTS:
            remedy = (
                f"Pick what belongs to it by `{_OF_PARTS[name.lstrip('.')]}` of the traced values."
            )
        elif event.several and name in _OF_SEVERAL:
            remedy = f"Stack them first: `jnp.{_OF_SEVERAL[name]}(jnp.stack([...]))`."
        if remedy is None:
            remedy = "Compare with `jnp` functions and select with `jnp.where`."
        if name in ("any", "all", "filter"):
            does = f"`{name}` asks for its truth"
        else:
            does = _TWO_WORDS.get(name, f"`{name}` compares it") + " and needs a Python bool"
        return f"{traced_here(event)}: {does}.", remedy

"""JIT111: a traced value is hashed."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, Hash
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, static_phrase, traced_here
from jitlint.rules.meta import Example, RuleMeta

_NEEDS = {
    "dict key": "a dict must hash its key, and tracers have no hash",
    "set element": "a set must hash its elements, and tracers have no hash",
    "set look-up": "a set must hash what it is asked for, and tracers have no hash",
    "hash()": "`hash` needs a value, and tracers have no hash",
    "argument of a cached function": (
        "the function's cache must hash its arguments, and tracers have no hash"
    ),
}
_REMEDIES = {
    "dict key": "Use an integer index into a stacked array, or `jax.lax.switch`.",
    "set element": "Use `jnp.unique` with `size=`, or compare with `jnp.isin`.",
    "set look-up": "Compare with `jnp.isin`.",
    "hash()": "Hash a static argument or the shape instead.",
    "argument of a cached function": (
        "Call the undecorated function here, or pass it static arguments only."
    ),
}


class HashOfTracedValue(Rule):
    """Reports dict keys, set elements, ``hash`` and arguments of cached functions."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT111",
        name="hash-of-traced-value",
        summary="a traced value as a dict key, set element or argument of a cached function",
        severity=Severity.ERROR,
        why=(
            "A hash depends on the value, and a tracer has none, so tracers are unhashable: dict "
            "look-ups, sets, hash and functools.lru_cache raise TypeError. JAX arrays outside a "
            "trace are unhashable as well; there Python numbers work, and under jit these arrive "
            "as tracers too."
        ),
        help=(
            "Put the table into an array and index it, choose between functions with "
            "jax.lax.switch, or make the argument static so that it stays a Python value."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "RATES = {0: 0.1, 1: 0.01, 2: 0.001}\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def decay(params, stage):\n"
                "    return params * (1.0 - RATES[stage])\n"
            ),
            call="decay(jnp.ones(3), 1)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "RATES = (0.1, 0.01, 0.001)\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def decay(params, stage):\n"
                "    return params * (1.0 - jnp.array(RATES)[stage])\n"
            ),
            call="decay(jnp.ones(3), 1)",
        ),
        hazard=Hazard("raises", ("TypeError",)),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/key-concepts.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (Hash,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say who hashes, and what to use instead."""
        assert isinstance(event, Hash)
        needs = _NEEDS.get(event.construct, "it must be hashed, and tracers have no hash")
        static = static_phrase(event, "it")
        remedy = _REMEDIES.get(event.construct, f"{static[0].upper()}{static[1:]}.")
        return f"{traced_here(event)}: {needs}.", remedy

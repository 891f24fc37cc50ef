"""JIT107: Python needs an integer index."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, PythonIndex
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, static_phrase, traced_here
from jitlint.rules.meta import Example, RuleMeta

_NEEDS = {
    "list index": "a Python list needs an integer index",
    "tuple index": "a Python tuple needs an integer index",
    "string index": "a Python string needs an integer index",
    "range": "`range` needs Python integers",
    "sequence repetition": "repeating a Python sequence needs an integer",
    "itertools.islice": "`itertools.islice` needs Python integers",
    "itertools.repeat": "`itertools.repeat` needs a Python integer",
}
_REMEDIES = {
    "list index": "Stack the list with `jnp.stack` and index the array, or use `jax.lax.switch`.",
    "tuple index": "Stack the tuple with `jnp.stack` and index the array, or use `jax.lax.switch`.",
    "range": "Use `jax.lax.fori_loop`",
    "sequence repetition": "Use `jnp.full` with a static length",
}
#: what can be static in the end, where that is a cure
_SOURCES = {
    "string index": "the index",
    "range": "the bound",
    "sequence repetition": "the count",
    "itertools.islice": "the bound",
    "itertools.repeat": "the count",
}


class TracedValueAsPythonIndex(Rule):
    """Reports indices of Python sequences, slice bounds and ``range``."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT107",
        name="traced-value-as-python-index",
        summary="a traced value as a list index, slice bound or range",
        severity=Severity.ERROR,
        why=(
            "Lists, tuples, strings and range live in Python and need an integer now: JAX raises "
            "TracerIntegerConversionError, or TypeError when the value is no integer. The bounds "
            "of a slice of a JAX array decide its shape, which must be known while tracing, so "
            "`x[:n]` raises IndexError. A traced integer as a plain index of a JAX array, `x[i]`, "
            "is fine."
        ),
        help=(
            "Index arrays instead of lists (jnp.stack), slice with jax.lax.dynamic_slice and a "
            "static size or mask with jnp.where, loop with jax.lax.fori_loop; or make the argument "
            "static."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def prefix_sum(x, n):\n"
                "    return x[:n].sum()\n"
            ),
            call="prefix_sum(jnp.arange(8.0), 3)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def prefix_sum(x, n):\n"
                "    return jnp.where(jnp.arange(x.shape[0]) < n, x, 0.0).sum()\n"
            ),
            call="prefix_sum(jnp.arange(8.0), 3)",
        ),
        hazard=Hazard(
            "raises",
            ("jax.errors.TracerIntegerConversionError", "TypeError", "IndexError"),
        ),
        since="0.1.0",
        references=(
            "https://docs.jax.dev/en/latest/errors.html",
            "https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_slice.html",
        ),
    )
    events: ClassVar[tuple[type[Event], ...]] = (PythonIndex,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the sequence, and what takes a traced index."""
        assert isinstance(event, PythonIndex)
        if event.construct == "slice bound":
            if event.of_array:
                needs = "the bounds of a slice fix its shape and must be static"
                remedy = "Use `jax.lax.dynamic_slice` with a static size, or mask with `jnp.where`."
            else:
                needs = "slicing a Python sequence needs integers"
                static = static_phrase(event, "the bound")
                remedy = f"Stack the sequence in an array, or {static}."
        else:
            needs = _NEEDS.get(event.construct, "Python needs an integer")
            remedy = _REMEDIES.get(event.construct, "")
            if not remedy.endswith("."):
                static = static_phrase(event, _SOURCES.get(event.construct, "it"))
                remedy = (
                    f"{remedy}, or {static}." if remedy else f"{static[0].upper()}{static[1:]}."
                )
        return f"{traced_here(event)}: {needs}.", remedy

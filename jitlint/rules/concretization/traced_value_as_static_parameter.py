"""JIT108: a traced value reaches a parameter that JAX needs while tracing."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, StaticParameter
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, static_phrase, traced_here
from jitlint.rules.meta import Example, RuleMeta

_SHAPES = frozenset({"shape", "sizes", "slice_sizes", "new_sizes", "newshape", "dimensions"})
_COUNTS = frozenset(
    {"N", "M", "n", "num", "stop", "start", "step", "repeats", "num_classes", "num_segments"}
)


class TracedValueAsStaticParameter(Rule):
    """Reports shapes, axes, counts and modes that are traced."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT108",
        name="traced-value-as-static-parameter",
        summary="a traced value as a shape, axis, count or other static parameter",
        severity=Severity.ERROR,
        why=(
            "Compiled code has fixed shapes, so whatever decides a shape or selects an algorithm "
            "(shape, axis, num, length, keepdims; argnums or in_axes of a transform) must be known "
            "while tracing. Which exception a "
            "traced one raises depends on the function and the parameter: a TypeError on shapes, "
            "ConcretizationTypeError, TracerIntegerConversionError, or a ValueError on unhashable "
            "static arguments.\n\n"
            "Inside jit every jnp result is traced, also that of constants: compute sizes with "
            "Python, math or NumPy from shapes and static arguments, not with jnp."
        ),
        help=(
            "Make the argument static (static_argnums or static_argnames), take the size from an "
            "array's shape, or compute it with Python or NumPy instead of jnp."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def padded(x, n):\n"
                "    return jnp.concatenate([x, jnp.zeros(n)])\n"
            ),
            call="padded(jnp.ones(3), 2)",
        ),
        good=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@partial(jax.jit, static_argnames=['n'])\n"
                "def padded(x, n):\n"
                "    return jnp.concatenate([x, jnp.zeros(n)])\n"
            ),
            call="padded(jnp.ones(3), n=2)",
        ),
        hazard=Hazard(
            "raises",
            (
                "jax.errors.ConcretizationTypeError",
                "jax.errors.TracerBoolConversionError",
                "jax.errors.TracerIntegerConversionError",
                "TypeError",
                "ValueError",
            ),
        ),
        since="0.1.0",
        references=(
            "https://docs.jax.dev/en/latest/errors.html",
            "https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html",
        ),
    )
    events: ClassVar[tuple[type[Event], ...]] = (StaticParameter,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the function and its parameter."""
        assert isinstance(event, StaticParameter)
        if event.parameter in _SHAPES:
            kind = "a tuple of Python ints"
        elif event.parameter in _COUNTS or "axis" in event.parameter or "size" in event.parameter:
            kind = "a Python int"
        else:
            kind = "a Python value"
        needed = f"`{event.parameter}`" if event.parameter else "it"
        return (
            f"{traced_here(event)}: `{event.callee}` needs {needed} while tracing.",
            f"Pass {kind}, or {static_phrase(event, 'its source')}.",
        )

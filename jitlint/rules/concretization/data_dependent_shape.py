"""JIT109: the shape of a result would depend on traced values."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import DataDependentShape, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, traced_here
from jitlint.rules.meta import Example, RuleMeta


class DataDependentShapeRule(Rule):
    """Reports boolean masks, ``nonzero``, ``unique`` and their like without a fixed size."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT109",
        name="data-dependent-shape",
        summary="a boolean mask, nonzero, unique or one-argument where without a fixed size",
        severity=Severity.ERROR,
        why=(
            "How many elements `x[mask]`, jnp.nonzero or jnp.unique return depends on the values, "
            "and compiled code must know every shape beforehand. A traced mask as an index raises "
            "NonConcreteBooleanIndexError, also in `x.at[mask].set(v)`; the functions raise "
            "ConcretizationTypeError or one of its relatives. They fail even on constants, as "
            "these become traced inside jit too."
        ),
        help=(
            "Keep the full shape and neutralise what is masked out: jnp.where(mask, x, fill). Or "
            "state the size: size= (with fill_value=), length= for bincount, "
            "total_repeat_length= for repeat, num_segments= for segment sums."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_of_positive(x):\n"
                "    return x[x > 0].mean()\n"
            ),
            call="mean_of_positive(jnp.arange(-2.0, 3.0))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_of_positive(x):\n"
                "    return jnp.mean(x, where=x > 0)\n"
            ),
            call="mean_of_positive(jnp.arange(-2.0, 3.0))",
        ),
        hazard=Hazard(
            "raises",
            (
                "jax.errors.NonConcreteBooleanIndexError",
                "jax.errors.ConcretizationTypeError",
                "jax.errors.TracerArrayConversionError",
                "jax.errors.TracerBoolConversionError",
                "jax.errors.TracerIntegerConversionError",
                "NotImplementedError",
                "TypeError",
                "ValueError",
            ),
        ),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (DataDependentShape,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the call, and the keyword that fixes the size where there is one."""
        assert isinstance(event, DataDependentShape)
        if event.callee == "boolean mask":
            return (
                f"{traced_here(event)}: indexing with a boolean mask gives a shape that depends "
                "on its values.",
                "Use `jnp.where(mask, x, fill)`, which keeps the shape.",
            )
        fault = f"{traced_here(event)}: the shape of `{event.callee}` depends on its values."
        if event.escape is None:
            return fault, "Mask with `jnp.where`, or do this outside the traced function."
        keyword = event.escape if "=" in event.escape else f"{event.escape}="
        if event.callee.rpartition(".")[2] == "where":
            return fault, f"Pass `{keyword}`, or use `jnp.where` with three arguments."
        return fault, f"Pass `{keyword}` to fix it, or mask with `jnp.where`."

"""JIT312: control flow outside of jit is given a fresh function in every turn of a loop."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, FreshControlFlow
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import loop_of, reason

_CURE = (
    "Apply `jax.jit`, once, to the function that calls `{callee}`, or define what it is given "
    "once, before the loop, and pass what varies as an operand."
)
_CURES = {
    "bound method": (
        "Apply `jax.jit`, once, to the function that calls `{callee}`, or keep the bound method "
        "in a variable that outlives the loop."
    ),
    "wrapper": "Apply `jax.jit`, once, to the function that calls `{callee}`.",
}


class FreshClosureInEagerControlFlow(Rule):
    """Reports scan, cond and their kin that compile again in every turn of a Python loop."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT312",
        name="fresh-closure-in-eager-control-flow",
        summary="scan, while_loop, cond ... outside of jit, given a new function in every turn",
        severity=Severity.WARNING,
        why=(
            "Outside of jit, lax.scan, while_loop, fori_loop, cond, switch and map compile a "
            "program by themselves, and find it again by the function object that they are given. "
            "A lambda, a nested def, a partial and a bound method are new objects each time, so in "
            "a Python loop, or in a function that a loop calls, every turn compiles: hundreds of "
            "milliseconds where the turn before took microseconds. lax.map wraps whatever it is "
            "given in a function of its own, so it compiles at every call outside of jit, and so "
            "does each new pallas_call. So do the solvers of jax.scipy, and those of Diffrax, "
            "Optimistix and jax.experimental.ode for each new function.\n\n"
            "Within jit all of this happens once, while tracing. Functions that run in traces "
            "only, and functions that are made once and kept, are not reported; eager vmap and "
            "associative_scan compile nothing of their own, nor does a cond under vmap of which a "
            "mapped value chooses the branch."
        ),
        help=(
            "Jit the function that calls the control flow, so that it compiles once; or hand the "
            "same function object over each time, and what varies as an operand or in the carry."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def smooth(rows, decay):\n"
                "    smoothed = []\n"
                "    for row in rows:\n"
                "        def step(level, value):\n"
                "            level = decay * level + (1 - decay) * value\n"
                "            return level, level\n"
                "\n"
                "        smoothed.append(jax.lax.scan(step, 0.0, row)[1])\n"
                "    return smoothed\n"
            ),
            call="smooth(jnp.ones((4, 8)), 0.9)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def smooth_row(row, decay):\n"
                "    def step(level, value):\n"
                "        level = decay * level + (1 - decay) * value\n"
                "        return level, level\n"
                "\n"
                "    return jax.lax.scan(step, 0.0, row)[1]\n"
                "\n"
                "\n"
                "def smooth(rows, decay):\n"
                "    return [smooth_row(row, decay) for row in rows]\n"
            ),
            call="smooth(jnp.ones((4, 8)), 0.9)",
        ),
        hazard=Hazard("recompiles"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/control-flow.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (FreshControlFlow,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is new in every turn, and what to jit instead."""
        assert isinstance(event, FreshControlFlow)
        where = f"in every turn of {loop_of(event)}"
        why = (
            "it wraps what it is given in a new function each time"
            if event.made == "wrapper"
            else reason(event.made)
        )
        fault = (
            f"Outside of jit, `{event.callee}` compiles {operand_text(event)} again {where}: {why}."
        )
        return fault, _CURES.get(event.made, _CURE).format(callee=event.callee)

"""JIT305: a static or donated argument that the function does not have."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, UnknownStaticArgument
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class UnknownStaticArgumentRule(Rule):
    """Reports names and positions in jit's options that the function does not have."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT305",
        name="unknown-static-argument",
        summary="a static or donated name or position that the function does not have",
        severity=Severity.ERROR,
        why=(
            "jit compares static_argnames, static_argnums, donate_argnames and donate_argnums with "
            "the signature of the function as soon as it wraps it, and raises ValueError for a "
            "name or position that does not exist. Positions count from 0, and from the first "
            "argument after self for a bound method; they cannot name a keyword-only parameter, "
            "names cannot name a positional-only one, and what functools.partial has bound by "
            "position no longer counts. A function with **kwargs takes every name, one with *args "
            "every position."
        ),
        help="Use the names and positions of the function's own parameters.",
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def pool(x, window):\n"
                "    return x.reshape(-1, window).mean(axis=1)\n"
                "\n"
                "\n"
                "def run(x):\n"
                '    return jax.jit(pool, static_argnames="windows")(x, 2)\n'
            ),
            call="run(jnp.ones(4))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def pool(x, window):\n"
                "    return x.reshape(-1, window).mean(axis=1)\n"
                "\n"
                "\n"
                "def run(x):\n"
                '    return jax.jit(pool, static_argnames="window")(x, 2)\n'
            ),
            call="run(jnp.ones(4))",
        ),
        hazard=Hazard("raises", ("ValueError",)),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/_autosummary/jax.jit.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (UnknownStaticArgument,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name what is wrong, and what the function has."""
        assert isinstance(event, UnknownStaticArgument)
        names = _listed(event.parameters)
        if event.option.endswith("names"):
            fault = (
                f"{operand_text(event)} in `{event.option}`: `{event.target}` takes no argument "
                f"named `{event.wrong}`, so `jit` raises ValueError."
            )
            if event.wrong.strip("'\"") in event.parameters:
                return fault, "Give its position instead: the parameter is positional-only."
            return fault, f"Name what it takes: {names}." if names else "Leave it out."
        fault = (
            f"{operand_text(event)} in `{event.option}`: `{event.target}` has no positional "
            f"parameter {event.wrong}, so `jit` raises ValueError."
        )
        if not names:
            return fault, "Leave it out."
        return fault, (
            f"Count from 0, without keyword-only parameters, in what it takes, {names}; or use "
            "the name."
        )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)

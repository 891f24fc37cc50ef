"""JIT113: a try statement swallows the error that tracing raises."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, SwallowedError
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, traced_here
from jitlint.rules.meta import Example, RuleMeta


class SwallowedTracerError(Rule):
    """Reports a ``try`` around a concretization that its own handler catches."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT113",
        name="swallowed-tracer-error",
        summary="a `try` that catches the error which tracing raises inside it",
        severity=Severity.WARNING,
        why=(
            "The errors that JAX raises for a missing value are TypeErrors (an IndexError for a "
            "boolean mask). A handler for TypeError, Exception or everything catches them, so that "
            "under tracing the handler always runs, and the compiled function does what was meant "
            "for the exceptional case, without a word. What is inside the `try` is not reported a "
            "second time. A handler that goes on with the array itself, or leaves, is left alone."
        ),
        help=(
            "Take the test on the value out of the try and write it with jnp.where or "
            "jax.lax.cond, or catch only the exceptions that are meant."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def safe_ratio(a, b):\n"
                "    try:\n"
                "        if b == 0:\n"
                "            return jnp.zeros_like(a)\n"
                "        return a / b\n"
                "    except Exception:\n"
                "        return jnp.full_like(a, -1.0)\n"
            ),
            call="safe_ratio(jnp.ones(3), 2.0)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def safe_ratio(a, b):\n"
                "    return jnp.where(b == 0, 0.0, a / jnp.where(b == 0, 1.0, b))\n"
            ),
            call="safe_ratio(jnp.ones(3), 2.0)",
        ),
        hazard=Hazard("silently-wrong"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (SwallowedError,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is caught, and that the handler always runs."""
        assert isinstance(event, SwallowedError)
        handler = f"`except {event.handler}`" if event.handler else "a bare `except`"
        inside = f" at `{event.inside}`" if event.inside else ""
        return (
            f"{traced_here(event)}: {handler} catches the error that tracing raises{inside}, so "
            "the handler always runs.",
            "Take the test out of the `try` and use `jnp.where` or `jax.lax.cond`.",
        )

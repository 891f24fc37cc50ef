"""JIT303: every call of a function jits a fresh function."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, JitPerCall
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import compiled_again, reason

_CURES = {
    "partial": (
        "Apply `{jit}` to the function itself at module level and pass what the partial binds as "
        "arguments."
    ),
    "bound method": "Keep the jitted method, for instance in an attribute set by `__init__`.",
    "linear map": (
        "Apply `{jit}` at module level to a function that is given the primals and calls "
        "`jax.vjp` or `jax.linearize` itself."
    ),
    "transformed function": "Make the jitted function once at module level.",
}
_CURE = "Apply `{jit}` to one function at module level and pass it what varies as an argument."


class JitRebuiltPerCall(Rule):
    """Reports a jitted function that is made and called in each of several visible calls."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT303",
        name="jit-rebuilt-per-call",
        summary="a function that jits a fresh function in each of its calls",
        severity=Severity.WARNING,
        why=(
            "A function that jits a lambda, a partial, a nested def or a bound method and calls "
            "the result throws the compiled program away when it returns: the next call jits a "
            "new function object, which JAX's cache has never seen. Every call compiles.\n\n"
            "It is reported only where the project calls the function more than once, or hands it "
            "to what does, such as a server that calls it for each request. A factory "
            "that returns its jitted function, and one that keeps it in a dict or behind "
            "functools.lru_cache, are not reported. Nor is one with a parameter that JAX must know "
            "(a length, a shape, a mesh, a function), of which each value needs its own program, "
            "nor a method that jits one of its object and is called once for each object."
        ),
        help=(
            "Jit one function at module level and pass it what varies, statically if it must be "
            "known while tracing. Where the function depends on an object, keep the jitted "
            "function: return it from a factory that is called once, or store it."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def distance(points, center):\n"
                "    @jax.jit\n"
                "    def norm(values):\n"
                "        return jnp.sqrt(jnp.sum((values - center) ** 2))\n"
                "\n"
                "    return norm(points)\n"
                "\n"
                "\n"
                "def compare(points, center):\n"
                "    return distance(points, center), distance(2 * points, center)\n"
            ),
            call="compare(jnp.ones(3), 0.5)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def distance(points, center):\n"
                "    return jnp.sqrt(jnp.sum((points - center) ** 2))\n"
                "\n"
                "\n"
                "def compare(points, center):\n"
                "    return distance(points, center), distance(2 * points, center)\n"
            ),
            call="compare(jnp.ones(3), 0.5)",
        ),
        hazard=Hazard("recompiles"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (JitPerCall,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say which function compiles in every call, and why."""
        assert isinstance(event, JitPerCall)
        called = f"is called {event.calls} times"
        if not event.calls:
            called = "runs again and again"
        return (
            f"{compiled_again(operand_text(event), event.made)} in every call of "
            f"`{event.caller}`, which {called}: {reason(event.made)}, so "
            f"`{event.callee}` never finds it in its cache.",
            _CURES.get(event.made, _CURE).format(jit=event.callee),
        )

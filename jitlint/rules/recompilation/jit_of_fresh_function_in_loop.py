"""JIT301: a fresh function is jitted in every turn of a loop."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, JitInLoop
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import compiled_again, loop_of, reason

_CURES = {
    "lambda": "{jit} one function before the loop and pass it what varies as an argument.",
    "partial": (
        "{jit} the function itself before the loop and pass what the partial binds as arguments."
    ),
    "nested function": (
        "{jit} one function before the loop and pass it what varies as an argument."
    ),
    "bound method": "{jit} the method once before the loop and call the result inside it.",
    "linear map": (
        "{jit} a function before the loop that is given the primals and calls `jax.vjp` or "
        "`jax.linearize` itself."
    ),
    "transformed function": (
        "{jit} the transformed function once before the loop and call the result inside it."
    ),
}


class JitOfFreshFunctionInLoop(Rule):
    """Reports a jit in a loop whose function is a new object in every turn."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT301",
        name="jit-of-fresh-function-in-loop",
        summary="jit of a lambda, partial, nested function or bound method made anew in a loop",
        severity=Severity.WARNING,
        why=(
            "JAX keeps compiled programs by the function object. A lambda, a functools.partial, a "
            "nested def, a bound method and the result of another transform such as jax.grad(f) "
            "are new objects each time the expression runs, even when they do the same. Jitted "
            "inside a loop, each turn traces and compiles the same program again: tens of "
            "milliseconds for the smallest function and minutes for a model, where a call that "
            "the cache serves takes microseconds. So does a loop that makes one like object after "
            "the other, each with a jitted function of its own.\n\n"
            "A jitted function that is made once and kept, in a variable before the loop, a "
            "dict or a cached function, is not reported. Nor is a loop that goes through what JAX "
            "must know of a program (lengths, shapes, meshes, devices, axis names, functions, "
            "flags), or through cases that the code lists and that decide what the function is "
            "called on: each turn needs one of its own, unless another loop comes to all of them "
            "again."
        ),
        help=(
            "Apply jit once, before the loop or at module level, and call the result in the loop. "
            "What varies from turn to turn becomes an argument; if it must be known while "
            "tracing, a static one."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def relax(x, steps):\n"
                "    rate = 0.5\n"
                "    for _ in range(steps):\n"
                "        x = jax.jit(lambda value: value - rate * jnp.tanh(value))(x)\n"
                "    return x\n"
            ),
            call="relax(jnp.ones(3), 4)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(value, rate):\n"
                "    return value - rate * jnp.tanh(value)\n"
                "\n"
                "\n"
                "def relax(x, steps):\n"
                "    rate = 0.5\n"
                "    for _ in range(steps):\n"
                "        x = step(x, rate)\n"
                "    return x\n"
            ),
            call="relax(jnp.ones(3), 4)",
        ),
        hazard=Hazard("recompiles"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (JitInLoop,)

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Say what is new in every turn, and what stands before the loop instead."""
        assert isinstance(event, JitInLoop)
        if event.made is None:
            return None
        where = f"in every turn of {loop_of(event)}"
        fault = (
            f"{compiled_again(operand_text(event), event.made)} {where}: {reason(event.made)}, so "
            f"`{event.callee}` never finds it in its cache."
        )
        jit = f"Apply `{event.callee}` to"
        return fault, _CURES.get(event.made, _CURES["transformed function"]).format(jit=jit)

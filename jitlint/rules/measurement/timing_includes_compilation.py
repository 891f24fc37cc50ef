"""JIT402: a duration that stands for a run covers compilation."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import CompilingTiming, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class TimingIncludesCompilation(Rule):
    """Reports durations of runs that hold the first call of a jitted function."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT402",
        name="timing-includes-compilation",
        summary="what is taken for the time of a run covers compilation",
        severity=Severity.WARNING,
        why=(
            "The first call of a jitted function, and the first for arrays of other shapes or "
            "dtypes, traces and compiles it before it runs: that takes tens of milliseconds to "
            "minutes, where the run itself may take microseconds. A mean over ten calls is then "
            "mostly compilation, and a comparison with NumPy or with another size says nothing."
            "\n\n"
            "Reported is the place where the clock is read again, if what comes out is divided, "
            "compared with another duration, or kept in every turn of a loop, and all calls before "
            "are in sight. Code that speaks of compilation or of its first call is left alone, and "
            "so is what leaves the first turn out, and a first call where the same program is "
            "timed again by itself."
        ),
        help=(
            "Call the function once with arguments of the same shapes and dtypes, and wait for the "
            "result, before the clock is read; or compile ahead: "
            "compiled = f.lower(*args).compile()."
        ),
        bad=Example(
            code=(
                "import time\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def measure(x, repeats=10):\n"
                "    norm = jax.jit(lambda x: jnp.sqrt(jnp.sum(x**2)))\n"
                "    start = time.perf_counter()\n"
                "    for _ in range(repeats):\n"
                "        norm(x).block_until_ready()\n"
                "    return (time.perf_counter() - start) / repeats\n"
            ),
            call="measure(jnp.ones(100))",
        ),
        good=Example(
            code=(
                "import time\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def measure(x, repeats=10):\n"
                "    norm = jax.jit(lambda x: jnp.sqrt(jnp.sum(x**2)))\n"
                "    norm(x).block_until_ready()\n"
                "    start = time.perf_counter()\n"
                "    for _ in range(repeats):\n"
                "        norm(x).block_until_ready()\n"
                "    return (time.perf_counter() - start) / repeats\n"
            ),
            call="measure(jnp.ones(100))",
        ),
        hazard=Hazard("mismeasured"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/benchmarking.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (CompilingTiming,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is compiled, and how to keep that out."""
        assert isinstance(event, CompilingTiming)
        called = "with arrays of these shapes " if event.resized else ""
        return (
            f"The time that is taken here covers the compilation of {operand_text(event)}, which "
            f"is called {called}for the first time.",
            "Call it once with the same shapes, and wait, before the clock is read.",
        )

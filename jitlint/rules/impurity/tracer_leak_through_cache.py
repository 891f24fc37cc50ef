"""JIT209: a function that keeps its results keeps a tracer."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import CachedTracer, Event
from jitlint.diagnostics import Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.impurity.effect_rule import LEAKS
from jitlint.rules.meta import Example, RuleMeta


class TracerLeakThroughCache(Rule):
    """Reports what ``lru_cache``, ``cache`` and ``cached_property`` keep from a trace."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT209",
        name="tracer-leak-through-cache",
        summary="a cached function or property that first runs in a trace keeps a tracer",
        severity=Severity.ERROR,
        why=(
            "Inside jit, and in the bodies of scan, cond and their kin, every result of JAX is a "
            "tracer, also of constants. A function under functools.lru_cache or functools.cache "
            "that runs there keeps its tracer, a functools.cached_property leaves it in the "
            "object, and who asks next, in another trace or outside, gets it and raises "
            "UnexpectedTracerError. What was computed before the trace, by NumPy, or under "
            "jax.ensure_compile_time_eval is an array."
        ),
        help=(
            "Compute it with NumPy, under `with jax.ensure_compile_time_eval():`, or once before "
            "anything is traced; or do not cache it, as the compiled program keeps it anyway."
        ),
        bad=Example(
            code=(
                "import functools\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@functools.lru_cache\n"
                "def window(size):\n"
                "    return jnp.hanning(size)\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def smooth(signal):\n"
                '    return jnp.convolve(signal, window(5), mode="same")\n'
                "\n"
                "\n"
                "def both(signal):\n"
                "    return smooth(signal), smooth(signal[:3])\n"
            ),
            call="both(jnp.arange(6.0))",
        ),
        good=Example(
            code=(
                "import functools\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "import numpy as np\n"
                "\n"
                "\n"
                "@functools.lru_cache\n"
                "def window(size):\n"
                "    return np.hanning(size)\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def smooth(signal):\n"
                '    return jnp.convolve(signal, window(5), mode="same")\n'
                "\n"
                "\n"
                "def both(signal):\n"
                "    return smooth(signal), smooth(signal[:3])\n"
            ),
            call="both(jnp.arange(6.0))",
        ),
        hazard=LEAKS,
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (CachedTracer,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name what is kept, and who keeps it."""
        assert isinstance(event, CachedTracer)
        where = "the cache" if event.keeper == "cache" else "the object"
        what = "is" if event.whole else "holds"
        fault = (
            f"{operand_text(event)} {what} a tracer when `{event.callee}` runs in a trace, and "
            f"{where} keeps it for who asks next: using it there raises."
        )
        return fault, (
            "Compute it with NumPy, under `jax.ensure_compile_time_eval()`, or before the trace."
        )

"""JIT401: a clock is read before the work that it measures is done."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, UnawaitedTiming
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class TimingWithoutBlockUntilReady(Rule):
    """Reports durations that cover dispatched work on which nothing waits."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT401",
        name="timing-without-block-until-ready",
        summary="a clock is read before the work that is timed is done",
        severity=Severity.WARNING,
        why=(
            "JAX dispatches asynchronously: a call of a compiled function, or an operation on "
            "arrays, returns as soon as the work is handed to the device, with arrays that are "
            "not there yet. A clock that is read then shows how long it took to hand over, not "
            "how long it took to compute: milliseconds for what takes seconds, and the missing "
            "time turns up wherever somebody looks at a value first.\n\n"
            "What waits is `block_until_ready`, and whatever needs the values: `np.asarray`, "
            "`float`, `.item()`, `print`, a condition, `jax.device_get`. The last of several "
            "results is enough where each depends on the one before. Reported is the place where "
            "the clock is read again: for timers that are context managers or objects, where they "
            "are used. Time limits, spans in which something unknown is given the result, and "
            "programs that look for NaNs (`jax_debug_nans`, with which each call waits) are left "
            "alone. So are loops of very many calls, those over a data set, and `%timeit` where "
            "no option says how often it runs something: a device has at most 32 executions in "
            "flight, and who dispatches more waits for the first ones, be it with the operations "
            "that follow, as those of an optimizer outside of jit. And so are first calls of "
            "programs without loops, which compile for far longer than they run (JIT402 tells of "
            "those), turns that compile each, a last short program behind long ones that were "
            "waited for, and durations of single turns of which every hundredth is told. Programs "
            "that call the host as they run (`jax.debug.print`, `io_callback`, Equinox's "
            "`error_if`, and Diffrax's solvers unless they are told `throw=False`) are waited for "
            "on a CPU, if what they are given is there: of them it is only an info, as of what a "
            "cell under `%%time` runs for the first time."
        ),
        help=(
            "Wait for the result before the clock is read: jax.block_until_ready(result), which "
            "takes any pytree, or result.block_until_ready()."
        ),
        bad=Example(
            code=(
                "import time\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def powers(x):\n"
                "    return jax.lax.fori_loop(0, 30, lambda _, a: jnp.tanh(a @ x), x)\n"
                "\n"
                "\n"
                "def measure(x):\n"
                "    powers(x).block_until_ready()\n"
                "    start = time.perf_counter()\n"
                "    powers(x)\n"
                "    return time.perf_counter() - start\n"
            ),
            call="measure(jnp.eye(400) + 0.01)",
        ),
        good=Example(
            code=(
                "import time\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def powers(x):\n"
                "    return jax.lax.fori_loop(0, 30, lambda _, a: jnp.tanh(a @ x), x)\n"
                "\n"
                "\n"
                "def measure(x):\n"
                "    powers(x).block_until_ready()\n"
                "    start = time.perf_counter()\n"
                "    powers(x).block_until_ready()\n"
                "    return time.perf_counter() - start\n"
            ),
            call="measure(jnp.eye(400) + 0.01)",
        ),
        hazard=Hazard("mismeasured"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/async_dispatch.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (UnawaitedTiming,)

    def severity(self, event: Event) -> Severity:
        """Where what is lost may be next to nothing, that is only worth an info."""
        assert isinstance(event, UnawaitedTiming)
        slight = event.calls_back or event.compiles
        return Severity.INFO if slight else super().severity(event)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is still running, and how to wait for it."""
        assert isinstance(event, UnawaitedTiming)
        first = ", compiled for the first time," if event.compiles else ""
        return (
            f"The clock is read here while {operand_text(event)}{first} may still be running: JAX "
            "returns before the work is done.",
            "Wait for the result first, with `jax.block_until_ready(...)`.",
        )

"""JIT206: files, logs, trackers and progress bars while tracing."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, HostIO
from jitlint.diagnostics import Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.impurity.effect_rule import ONCE, RUNS_ONCE, condition
from jitlint.rules.meta import Example, RuleMeta

_VERBS = {
    "file": "touches the file system",
    "stream": "writes",
    "logging": "logs",
    "warning": "warns",
    "tracker": "records",
    "progress bar": "moves the progress bar",
}
_REMEDIES = {
    "file": "Use `jax.experimental.io_callback`, or return the value and write it outside.",
    "stream": "Use `jax.debug.print` or `jax.debug.callback`.",
    "logging": "Use `jax.debug.callback`, or return the value and log it outside.",
    "warning": "Use `jax.debug.callback`, or warn outside.",
    "tracker": "Use `jax.debug.callback`, or return the value and record it outside.",
    "progress bar": "Use `jax.debug.callback`, or move the loop with the bar outside.",
}
# A line that a log shows once may be meant: it says that a function is compiled.
_ADVICE_ONLY = frozenset({"logging", "warning"})


class HostIOInTracedFunction(Rule):
    """Reports input and output that the compiled function does not repeat."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT206",
        name="host-io-in-traced-function",
        summary="a file, log, tracker or progress bar is written to only while tracing",
        severity=Severity.WARNING,
        why=(
            "Where a trace is cached (jit, control flow such as jax.lax.scan), the Python code of "
            "the function runs once, to record its array operations. Writing a file, logging, "
            "recording a metric and moving a progress bar are no array operations: they happen "
            "during that one pass and never when the compiled function runs. What is written of a "
            "traced value is its placeholder, such as JitTracer(float32[]), not a number.\n\n"
            "Logging and warnings that show only static values are infos: a line that says once "
            "that a function is being compiled may be just what is meant. Under grad or vmap "
            "alone, Python runs on every call, and nothing is reported."
        ),
        help=(
            "Return the values and write them outside, or pass them to the host while the compiled "
            "function runs: jax.debug.callback for logs and metrics, jax.experimental.io_callback "
            "where the order matters."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def train_step(params, batch):\n"
                "    loss = jnp.mean((batch - params) ** 2)\n"
                '    with open("losses.txt", "a") as losses:\n'
                '        losses.write(f"{loss}\\n")\n'
                "    return params - 0.1 * loss\n"
            ),
            call="train_step(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "def write(loss):\n"
                '    with open("losses.txt", "a") as losses:\n'
                '        losses.write(f"{loss}\\n")\n'
                "\n"
                "\n"
                "@jax.jit\n"
                "def train_step(params, batch):\n"
                "    loss = jnp.mean((batch - params) ** 2)\n"
                "    jax.debug.callback(write, loss)\n"
                "    return params - 0.1 * loss\n"
            ),
            call="train_step(jnp.ones(3), jnp.zeros((2, 3)))",
        ),
        hazard=RUNS_ONCE,
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/external-callbacks.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (HostIO,)

    def describe(self, event: Event) -> tuple[str, str] | None:
        """Say what happens once, and how to do it on every run."""
        assert isinstance(event, HostIO)
        if not event.cached:
            return None
        verb = _VERBS.get(event.kind, "reaches the host")
        remedy = _REMEDIES.get(event.kind, "Use `jax.debug.callback`.")
        if not event.traced:
            return f"`{event.callee}` {verb} {ONCE}.", remedy
        return (
            f"{operand_text(event)} holds a traced value{condition(event)}: `{event.callee}` gets "
            f"a tracer, not the value, and {verb} only once, while tracing.",
            remedy,
        )

    def severity(self, event: Event) -> Severity:
        """A static line in a log that appears once is only worth an info."""
        assert isinstance(event, HostIO)
        if event.kind in _ADVICE_ONLY and not event.traced:
            return Severity.INFO
        return super().severity(event)

"""JIT207: a random number, a time or a setting is frozen into the compiled function."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, FrozenHostValue
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta

_FAULTS = {
    "random": "is drawn once, while tracing, and every call of the compiled function reuses it",
    "clock": "is read once, while tracing, and every call of the compiled function keeps that time",
    "identifier": "is made once, while tracing, and every call of the compiled function reuses it",
    "environment": "is read once, while tracing, and later changes of it are not seen",
    "input": "asks once, while tracing, and the compiled function keeps the answer",
}
_REMEDIES = {
    "random": "Use `jax.random` with a key that is passed as an argument.",
    "clock": "Measure time outside the traced function.",
    "identifier": "Make it outside the traced function.",
    "environment": "Read it outside, and pass the setting as an argument.",
    "input": "Ask outside, and pass the answer as an argument.",
}


class FrozenHostValueRule(Rule):
    """Reports draws, clocks, identifiers, environment variables and input in cached traces."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT207",
        name="frozen-host-value",
        summary="a random draw, a time or a setting of the host becomes a constant",
        severity=Severity.ERROR,
        why=(
            "The module random, np.random, time, uuid, os.environ and input are Python: they run "
            "while the function is traced, and what they return becomes a constant of the compiled "
            "function. Every later call gets the same numbers: a dropout mask that never changes, "
            "noise that is no noise, an elapsed time that is the time it took to trace. Nothing is "
            "raised.\n\n"
            "Random draws are errors, as the results are wrong; clocks, identifiers, environment "
            "variables and input are warnings, as one value per compilation may be what is meant. "
            "A variable of the environment counts where it is read as a number, which could be an "
            "argument, or where functions of the project set it: a text, a flag or a limit for "
            "sizes chooses a program, which only tracing can. "
            "Under grad or vmap alone, Python runs on every call, and nothing is reported."
        ),
        help=(
            "Draw with jax.random from a key that the function takes as an argument, split anew "
            "for every call. Read clocks, settings and input outside, and pass what is needed as "
            "an argument."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "import numpy as np\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def augment(image):\n"
                "    noise = np.random.normal(0.0, 0.1, image.shape)\n"
                "    return image + noise\n"
            ),
            call="augment(jnp.ones((4, 4)))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def augment(image, key):\n"
                "    noise = 0.1 * jax.random.normal(key, image.shape)\n"
                "    return image + noise\n"
            ),
            call="augment(jnp.ones((4, 4)), jax.random.key(0))",
        ),
        hazard=Hazard("stale"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/random-numbers.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (FrozenHostValue,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is frozen, and where it should come from."""
        assert isinstance(event, FrozenHostValue)
        fault = _FAULTS.get(event.kind, "is taken once, while tracing, and never again")
        remedy = _REMEDIES.get(event.kind, "Take it outside, and pass it as an argument.")
        return f"{operand_text(event)} {fault}.", remedy

    def severity(self, event: Event) -> Severity:
        """Draws that repeat are wrong; of the other kinds, one value may be meant."""
        assert isinstance(event, FrozenHostValue)
        return super().severity(event) if event.kind == "random" else Severity.WARNING

"""JIT214: a container that arrives as an argument is changed, and the change does not come back."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import ArgumentMutationLost, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta


class ArgumentMutationLostRule(Rule):
    """Reports changes of dicts, lists and objects that JAX has made anew for the trace."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT214",
        name="argument-mutation-lost",
        summary="an argument is changed in place in a traced function, and not returned",
        severity=Severity.WARNING,
        why=(
            "JAX takes the containers among the arguments of a transformed function apart and puts "
            "new ones together for the trace. What the function changes in those is gone when it "
            "returns: the caller's own dict, list or object stays as it was, without an error. "
            "Only what is returned comes back; modules of `flax.nnx` under its own transforms, and "
            "references (`jax.new_ref`), are the exceptions."
        ),
        help="Return the changed container and let the caller go on with that one.",
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(state):\n"
                '    state["position"] = state["position"] + state["velocity"]\n'
                '    return jnp.sum(state["velocity"] ** 2)\n'
                "\n"
                "\n"
                "def simulate(velocity):\n"
                '    state = {"position": jnp.zeros(2), "velocity": velocity}\n'
                "    energy = step(state)\n"
                '    return state["position"], energy\n'
            ),
            call="simulate(jnp.ones(2))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def step(state):\n"
                '    position = state["position"] + state["velocity"]\n'
                '    return {**state, "position": position}, jnp.sum(state["velocity"] ** 2)\n'
                "\n"
                "\n"
                "def simulate(velocity):\n"
                '    state = {"position": jnp.zeros(2), "velocity": velocity}\n'
                "    state, energy = step(state)\n"
                '    return state["position"], energy\n'
            ),
            call="simulate(jnp.ones(2))",
        ),
        hazard=Hazard("silently-wrong"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/key-concepts.html#pytrees",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (ArgumentMutationLost,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the container and the function that was given it."""
        assert isinstance(event, ArgumentMutationLost)
        fault = (
            f"{operand_text(event)} is a copy that JAX made for the trace: the {event.action} is "
            f"lost, and what `{event.callee}` was given stays as it was."
        )
        return fault, "Return the changed container and go on with that one."

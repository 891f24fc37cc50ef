"""JIT311: what is compiled for an object keeps the old value of an attribute."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, StaleSelf
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text, unless_resized
from jitlint.rules.meta import Example, RuleMeta


class StaleStaticSelf(Rule):
    """Reports attributes that compiled methods read, where they change between calls."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT311",
        name="stale-static-self",
        summary="a compiled method keeps the old value of an attribute that changes",
        severity=Severity.WARNING,
        why=(
            "A method whose self is static, a function that closes over self, or one that is "
            "given the object as a static argument is compiled for the object, not for what its "
            "attributes hold: an object is hashed by its identity, which stays the same when an "
            "attribute is changed. So the cache finds the program of the first call again, with "
            "the values that the attributes had then: a learning rate that does not decay, a "
            "target network that is never synchronised, dropout that stays on. Nothing is raised. "
            "A class that hashes and compares its objects by these values changes nothing: the "
            "object is still the one in the cache.\n\n"
            "It is reported only where the project changes the attribute after a call of the "
            "compiled method and then calls it again; the explanation ends at that change. "
            "Attributes that are set before the first call are fine, and so are objects that are "
            "pytrees, whose attributes are arguments, and new objects in place of changed ones."
        ),
        help=(
            "Pass what changes as an argument of the compiled function; or make the class a pytree "
            "(jax.tree_util.register_dataclass, equinox.Module, flax.nnx.Module), or the object "
            "frozen, and replace it."
        ),
        bad=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "class Agent:\n"
                "    def __init__(self):\n"
                "        self.rate = 0.5\n"
                "\n"
                "    @partial(jax.jit, static_argnums=0)\n"
                "    def update(self, w):\n"
                "        return w - self.rate * w\n"
                "\n"
                "    def decay(self):\n"
                "        self.rate *= 0.5\n"
                "\n"
                "\n"
                "def learn(w):\n"
                "    agent = Agent()\n"
                "    for _ in range(3):\n"
                "        w = agent.update(w)\n"
                "        agent.decay()\n"
                "    return w\n"
            ),
            call="learn(jnp.ones(2))",
        ),
        good=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "class Agent:\n"
                "    def __init__(self):\n"
                "        self.rate = 0.5\n"
                "\n"
                "    @partial(jax.jit, static_argnums=0)\n"
                "    def update(self, w, rate):\n"
                "        return w - rate * w\n"
                "\n"
                "    def decay(self):\n"
                "        self.rate *= 0.5\n"
                "\n"
                "\n"
                "def learn(w):\n"
                "    agent = Agent()\n"
                "    for _ in range(3):\n"
                "        w = agent.update(w, agent.rate)\n"
                "        agent.decay()\n"
                "    return w\n"
            ),
            call="learn(jnp.ones(2))",
        ),
        hazard=Hazard("stale"),
        since="0.1.0",
    )
    events: ClassVar[tuple[type[Event], ...]] = (StaleSelf,)

    def severity(self, event: Event) -> Severity:
        """What is compiled for another size by then may be as it should: only worth an info."""
        assert isinstance(event, StaleSelf)
        return Severity.INFO if event.resized else super().severity(event)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is kept, and how it gets in."""
        assert isinstance(event, StaleSelf)
        return (
            f"{operand_text(event)} is read once, while tracing: what is compiled keeps that "
            "value for this object, although it is changed before the next "
            f"call{unless_resized(event.resized)}.",
            "Pass it as an argument.",
        )

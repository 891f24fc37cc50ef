"""JIT306: a static argument takes a new value in every turn of a loop, or in every call."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, VaryingStaticArgument
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import loop_of, reason

_INSTANCE = "objects of its class are compared by identity"


class NewStaticValueInLoop(Rule):
    """Reports counters, rates and new objects that are passed for static parameters in loops."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT306",
        name="varying-static-argument",
        summary="a static argument takes a new value in every turn of a loop",
        severity=Severity.WARNING,
        why=(
            "JAX compiles a program for each value of a static argument. A counter, a rate that "
            "decays or a length that follows the data has another value in every turn of a loop, "
            "and a lambda, a partial or an object whose class defines no equality is another one "
            "each time that it is made: every turn compiles, and every program is kept. Equinox's "
            "filter_jit takes each Python number for static, whether it is declared so or not.\n\n"
            "What is static of an argument that is traced is compared as well: the optimizer of a "
            "train state or of an `nnx.Optimizer`, a function in a field with `pytree_node=False` "
            "or `static=True` or among `meta_fields`, under Equinox in any field, that of a "
            "`jax.tree_util.Partial`. Diffrax's diffeqsolve is such a function of Equinox: it is "
            "compiled for each number that it is given for t0, t1 or dt0.\n\n"
            "So does every call of a function that makes a closure and passes it, or hands it to a "
            "helper that does, where the project calls that function more than once.\n\n"
            "Values of which there are few (a flag, a kind of layer, the sizes of a tuple, a "
            "number that picks sizes from one), equal tuples, named tuples and frozen dataclasses, "
            "and loops that measure what each value costs are not reported."
        ),
        help=(
            "Take the parameter out of the static arguments, so that it is traced; under Equinox "
            "pass jnp.asarray(value). Where shapes or Python control flow rest on it, round it to "
            "a few values. Make objects once, or give their class __eq__ and __hash__, as a frozen "
            "dataclass has them."
        ),
        bad=Example(
            code=(
                "import functools\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                '@functools.partial(jax.jit, static_argnames="step")\n'
                "def update(weights, grads, step):\n"
                "    return weights - 0.1 / (step + 1) * grads\n"
                "\n"
                "\n"
                "def train(weights, steps):\n"
                "    for step in range(steps):\n"
                "        weights = update(weights, 2 * weights, step)\n"
                "    return weights\n"
            ),
            call="train(jnp.ones(3), 4)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def update(weights, grads, step):\n"
                "    return weights - 0.1 / (step + 1) * grads\n"
                "\n"
                "\n"
                "def train(weights, steps):\n"
                "    for step in range(steps):\n"
                "        weights = update(weights, 2 * weights, step)\n"
                "    return weights\n"
            ),
            call="train(jnp.ones(3), 4)",
        ),
        hazard=Hazard("recompiles"),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (VaryingStaticArgument,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what is compiled again, and why no program that there is will do."""
        assert isinstance(event, VaryingStaticArgument)
        where = f"in every turn of {loop_of(event)}"
        if event.calls is not None:
            again = f"is called {event.calls} times" if event.calls else "runs again and again"
            where = f"in every call of `{event.caller}`, which {again}"
        opening = f"`{event.callee}` is compiled again {where}"
        what = operand_text(event)
        if event.field:
            what = f"`{event.field}` of {what}"
        if event.made not in (None, "number"):
            if event.made == "callable instance":
                why, cure = _INSTANCE, "give its class `__eq__` and `__hash__`"
            else:
                why, cure = reason(event.made), "pass something that has equality"
            return (
                f"{opening}: {what} is static, and {why}.",
                f"Make it once, outside of the {_where(event)}, or {cure}.",
            )
        if not event.declared:
            field = event.field and "Keep it as an array: `jnp.asarray` makes one."
            return (
                f"{opening}: {what} is a new Python number each time, which is static here.",
                field or f"Pass `jnp.asarray({event.operand})`.",
            )
        if event.field:
            return (
                f"{opening}: {what}, which is static, is another number each time.",
                "Pass the number as an argument of its own, which is traced.",
            )
        return (
            f"{opening}: {what} is a new value of a static argument each time.",
            "Have it traced; where shapes or Python control flow need it, keep it to a few values.",
        )


def _where(event: VaryingStaticArgument) -> str:
    return "loop" if event.calls is None else "function"

"""JIT308: a trace is given, or gives back, what is neither an array nor a number."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, NonArrayArgument, NonArrayResult
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import type_phrase

# These have the hash that a static argument needs; a function has it too, but see below.
_PLAIN = frozenset(["bytes", "class", "str"])


class NonArrayArgumentRule(Rule):
    """Reports strings, functions and objects passed where a transform traces."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT308",
        name="non-array-argument",
        summary="a string, function or object passed for a parameter that is traced",
        severity=Severity.ERROR,
        why=(
            "What a traced parameter receives is taken apart as a pytree, and each leaf must be an "
            "array or a number: only these can be inputs of a compiled program. A string, a "
            "function, a class, a dtype, a range or an instance of a class that JAX does not know "
            "as a pytree raises TypeError at the call, also inside a list, tuple or dict; so does "
            "a NumPy array of strings. Dict "
            "keys and None are structure and fine, as are Equinox modules, registered "
            "dataclasses and jax.tree_util.Partial, as long as their leaves are arrays. A function "
            "that nobody calls yet is judged by what its parameters are declared to be.\n\n"
            "What a traced function returns is taken apart likewise: a name, a function or a "
            "member of an enumeration among the results raises TypeError where it is called."
        ),
        help=(
            "Make the parameter static with static_argnames or static_argnums, if its values are "
            "hashable; let the function close over it or bind it with functools.partial before "
            "jit; or register the class as a pytree. Return arrays alone, and put the rest beside "
            "them outside."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def reduce(x, how):\n"
                '    return jnp.sum(x) if how == "sum" else jnp.mean(x)\n'
                "\n"
                "\n"
                "def total(x):\n"
                '    return reduce(x, "sum")\n'
            ),
            call="total(jnp.ones(3))",
        ),
        good=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                '@partial(jax.jit, static_argnames="how")\n'
                "def reduce(x, how):\n"
                '    return jnp.sum(x) if how == "sum" else jnp.mean(x)\n'
                "\n"
                "\n"
                "def total(x):\n"
                '    return reduce(x, "sum")\n'
            ),
            call="total(jnp.ones(3))",
        ),
        hazard=Hazard("raises", ("TypeError",)),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (NonArrayArgument, NonArrayResult)

    def severity(self, event: Event) -> Severity:
        """A warning where nothing but an annotation says what is passed."""
        declared = isinstance(event, NonArrayArgument) and event.declared
        return Severity.WARNING if declared else super().severity(event)

    def describe(self, event: Event) -> tuple[str, str]:
        """Say what reaches which parameter, and how to keep it out of the trace."""
        if isinstance(event, NonArrayResult):
            return _of_result(event)
        assert isinstance(event, NonArrayArgument)
        # The operand may also be a container with the culprit inside.
        what = type_phrase(event.python_type)
        if event.holder:
            what += f" among the leaves of {type_phrase(event.holder)}"
        if event.declared:
            return (
                f"`{event.parameter}` of `{event.callee}` is declared to be {what}, which "
                f"{operand_text(event)} cannot trace: every call that passes one raises TypeError.",
                _cure(event.python_type, event.parameter),
            )
        fault = f"With {operand_text(event)}, {what} reaches "
        if event.parameter:
            fault += f"the parameter `{event.parameter}`, which `{event.callee}` traces"
        else:
            fault += event.callee
        if event.certain:
            fault += ": JAX takes only arrays, numbers and pytrees of them there."
        else:
            fault += ": a call that passes it raises TypeError."
        return fault, _cure_of_leaf(event) or _cure(event.python_type, event.parameter)


def _of_result(event: NonArrayResult) -> tuple[str, str]:
    what = type_phrase(event.python_type)
    if event.holder:
        what += f" among the leaves of {type_phrase(event.holder)}"
    where = "the lambda" if event.callee == "<lambda>" else f"`{event.callee}`"
    fault = f"In {operand_text(event)}, {where} returns {what}: under `{event.transform}` "
    return (
        fault + "a function may return only arrays, numbers and pytrees of them.",
        "Return the arrays alone, and put the rest beside them outside of the trace.",
    )


def _cure_of_leaf(event: NonArrayArgument) -> str | None:
    if not event.parameter:
        return "Let the functions close over it instead, and pass the arrays alone."
    if event.instead:
        return f"Use `{event.instead}`, which keeps it out of the trace."
    return "Declare the field that holds it static." if event.holder else None


def _cure(python_type: str, parameter: str) -> str:
    static = f"Make `{parameter}` static (`static_argnames`)"
    if python_type == "function":
        return f"{static}, or let the traced function close over it."
    if python_type.endswith("of strings"):
        return "Keep the strings outside, or pass a number for each."
    if python_type in _PLAIN:
        return f"{static}."
    return f"{static} if it is hashable, or register its class as a pytree."

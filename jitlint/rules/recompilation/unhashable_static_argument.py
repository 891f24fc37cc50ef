"""JIT304: a static argument that cannot be hashed."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import (
    ArrayDeclaredStatic,
    Event,
    StaticFieldArray,
    UnhashableStaticArgument,
)
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.recompilation.wording import type_phrase

_LONGEST_USE = 40
_ARRAYS = frozenset(["NumPy array", "array"])
_DICTS = frozenset(["Counter", "OrderedDict", "defaultdict", "dict"])
_CURES = {
    "bytearray": "Pass `bytes`.",
    "deque": "Pass a tuple.",
    "list": "Pass a tuple.",
    "set": "Pass a `frozenset`.",
    "slice": "Pass its bounds as integers.",
}


class UnhashableStaticArgumentRule(Rule):
    """Reports lists, dicts, arrays and unhashable objects passed for static parameters."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT304",
        name="unhashable-static-argument",
        summary="a list, dict, array or other unhashable value for a static parameter",
        severity=Severity.ERROR,
        why=(
            "jit compiles once per value of a static argument and finds the program again by the "
            "value's hash, so the value must be hashable. Lists, dicts, sets, arrays, tuples that "
            "hold one of these, and instances of a dataclass that compares by value without being "
            "frozen have no hash, and the call raises ValueError. A default that is never passed "
            "is not hashed. A parameter that is annotated as an array or a typed dict, or used as "
            "only arrays are, is reported where it is declared, unless a call shows what it is "
            "given.\n\n"
            "The static fields of a pytree (equinox.field(static=True), pytree_node=False, "
            "meta_fields) are compared like static arguments. An array there passes once; a second "
            "object with another array raises when the two are compared."
        ),
        help=(
            "Pass a hashable value: a tuple for a list, a frozenset for a set, a tuple of pairs or "
            "a frozen dataclass for a dict. An array should not be static at all."
        ),
        bad=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                '@partial(jax.jit, static_argnames="axes")\n'
                "def energy(field, axes):\n"
                "    return jnp.sum(field**2, axis=tuple(axes))\n"
                "\n"
                "\n"
                "def total(field):\n"
                "    return energy(field, axes=[0, 1])\n"
            ),
            call="total(jnp.ones((2, 3)))",
        ),
        good=Example(
            code=(
                "from functools import partial\n"
                "\n"
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                '@partial(jax.jit, static_argnames="axes")\n'
                "def energy(field, axes):\n"
                "    return jnp.sum(field**2, axis=axes)\n"
                "\n"
                "\n"
                "def total(field):\n"
                "    return energy(field, axes=(0, 1))\n"
            ),
            call="total(jnp.ones((2, 3)))",
        ),
        hazard=Hazard("raises", ("ValueError",)),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/jit-compilation.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        UnhashableStaticArgument,
        ArrayDeclaredStatic,
        StaticFieldArray,
    )

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the parameter and the type, and the hashable type to pass."""
        if isinstance(event, ArrayDeclaredStatic):
            every = "every call that passes it" if event.optional else "every call"
            return (
                f"{operand_text(event)} is declared static for `{event.callee}` and "
                f"{_said(event)}, which cannot be hashed: {every} raises.",
                _cure(event.kind, event.operand),
            )
        if isinstance(event, StaticFieldArray):
            return (
                f"{operand_text(event)} is a second `{event.cls}` with an array in its static "
                f"field `{event.field}` that reaches `{event.callee}`: JAX compares it with the "
                "first one's, which raises.",
                "Let arrays be ordinary fields, or keep a tuple there.",
            )
        assert isinstance(event, UnhashableStaticArgument)
        fault = (
            f"{operand_text(event)} is passed for the static parameter `{event.parameter}`, but "
            f"{type_phrase(event.python_type)} cannot be hashed."
        )
        return fault, _cure(event.python_type, event.parameter)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_USE else f"{text[: _LONGEST_USE - 1].rstrip()}…"


def _said(event: ArrayDeclaredStatic) -> str:
    """What a parameter holds, or which class it is of, and what shows that."""
    phrase = type_phrase(event.kind)
    if event.shown_by == "fields":
        return f"is {phrase}"
    if event.shown_by != "annotation":
        return f"holds {phrase}, as `{_shortened(event.shown_by)}` shows"
    return f"{'is' if '`' in event.kind else 'holds'} {phrase}, by its annotation"


def _cure(python_type: str, parameter: str) -> str:
    if python_type in _ARRAYS:
        return f"Do not make `{parameter}` static: an array is an ordinary argument."
    if python_type.endswith(("array", "of arrays")):
        return f"Do not make `{parameter}` static: what holds arrays is an ordinary argument."
    if python_type in _DICTS:
        return "Pass a tuple of pairs or a frozen dataclass, or make it an ordinary argument."
    if python_type in _CURES:
        return _CURES[python_type]
    if " that holds " in python_type:
        return "Make what it holds hashable too, such as a tuple in place of a list."
    if python_type.endswith("` dict"):
        return "Make it a named tuple or a frozen dataclass, or an ordinary argument."
    if " dataclass " in python_type:
        return "Declare the class with `@dataclass(frozen=True)`."
    return "Give the class a `__hash__` that agrees with its `__eq__`."

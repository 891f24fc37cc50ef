"""JIT304: a static argument that cannot be hashed."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, UnhashableStaticArgument
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text
from jitlint.rules.meta import Example, RuleMeta

_ARRAYS = frozenset(["Array", "array", "jax.Array", "jnp.ndarray", "ndarray", "np.ndarray"])
_DICTS = frozenset(["Counter", "OrderedDict", "defaultdict", "dict"])
_CURES = {
    "bytearray": "Pass `bytes`.",
    "deque": "Pass a tuple.",
    "list": "Pass a tuple.",
    "set": "Pass a `frozenset`.",
    "slice": "Pass its bounds as integers.",
    "tuple": "Make what the tuple holds hashable: tuples for lists, numbers for arrays.",
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
            "is not hashed."
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
    events: ClassVar[tuple[type[Event], ...]] = (UnhashableStaticArgument,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the parameter and the type, and the hashable type to pass."""
        assert isinstance(event, UnhashableStaticArgument)
        fault = (
            f"{operand_text(event)} is passed for the static parameter `{event.parameter}`, which "
            f"must be hashed, and {_indefinite(event.python_type)} has no hash."
        )
        return fault, _cure(event.python_type, event.parameter)


def _indefinite(python_type: str) -> str:
    if python_type == "tuple":
        return "a tuple that holds an unhashable value"
    article = "an" if python_type[:1].lower() in "aeiou" else "a"
    return f"{article} `{python_type}`"


def _cure(python_type: str, parameter: str) -> str:
    if python_type in _ARRAYS:
        return f"Do not make `{parameter}` static: an array is an ordinary argument."
    if python_type in _DICTS:
        return "Pass a tuple of pairs or a frozen dataclass, or make it an ordinary argument."
    cure = _CURES.get(python_type)
    if cure is not None:
        return cure
    return f"Make `{python_type}` hashable, for instance a frozen dataclass."

"""What is known of dtypes without a value: which functions give floats, and which kinds are which.

Observed under JAX 0.10.2: ``tests/jaxmodel/test_dtypes.py`` runs each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: give floats of some width, whatever they are given, unless their ``dtype`` says otherwise
FLOATS: Final = frozenset(
    f"jax.{module}.{name}"
    for module, names in (
        ("nn", "one_hot"),
        ("numpy", "empty eye identity ones tri zeros"),
        (
            "random",
            """ball beta cauchy chisquare dirichlet double_sided_maxwell exponential f gamma
            generalized_normal gumbel laplace loggamma logistic lognormal maxwell normal orthogonal
            pareto rayleigh t triangular truncated_normal uniform wald weibull_min""",
        ),
    )
    for name in names.split()
)
#: functions that ask whether one dtype, or that of an array, is of a kind
ASK_KIND: Final = ("jax.dtypes.issubdtype", "jax.numpy.issubdtype", "numpy.issubdtype")
#: what the kinds are called that hold others, to those of ours that they hold
_HELD: Final[Mapping[str, frozenset[str]]] = {
    "bool": frozenset({"bool"}),
    "bool_": frozenset({"bool"}),
    "integer": frozenset({"int"}),
    "floating": frozenset({"float"}),
    "inexact": frozenset({"float"}),
    "number": frozenset({"int", "float"}),
    "generic": frozenset({"bool", "int", "float"}),
    "complexfloating": frozenset(),
    "complex64": frozenset(),
    "complex128": frozenset(),
    "flexible": frozenset(),
    "character": frozenset(),
}
#: what they are called that hold some of a kind, but not all
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "int": ("int", "uint", "signedinteger", "unsignedinteger"),
    "float": ("float", "bfloat"),
}
#: NumPy does not count JAX's narrow types among its own
_NARROW: Final = frozenset({"int", "float"})
_MODULES: Final = ("builtins.", "jax.numpy.", "jax.dtypes.", "numpy.")


def is_of_kind(asks: str, dtype: str, kind: str) -> bool | None:
    """Whether all dtypes of one sort are of a kind, None where only some may be.

    Args:
      asks: the function that is asked, one of :data:`ASK_KIND`.
      dtype: ``bool``, ``int`` or ``float``, of any width.
      kind: the qualified name of the kind.
    """
    name = kind.rpartition(".")[2]
    if not kind.startswith(_MODULES) or dtype not in ("bool", "int", "float"):
        return None
    held = _HELD.get(name)
    if held is None:
        part = next((p for p, names in _PARTS.items() if name.rstrip("0123456789") in names), None)
        return None if part in (None, dtype) else False
    if dtype not in held:
        return False
    return None if asks.startswith("numpy.") and dtype in _NARROW else True

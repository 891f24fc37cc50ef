"""What JAX raises where Python asks a traced value for what only a run knows, and who catches it.

Every tuple names all classes that can occur: which of them does depends on the function, the
parameter and the shape.
"""

from __future__ import annotations

from typing import Final

BOOL_ERRORS: Final = ("jax.errors.TracerBoolConversionError", "ValueError")
INDEX_ERRORS: Final = ("jax.errors.TracerIntegerConversionError", "TypeError")
ARRAY_ERRORS: Final = ("jax.errors.TracerArrayConversionError",)
SLICE_ERRORS: Final = ("IndexError",)
HASH_ERRORS: Final = ("TypeError",)
MASK_ERRORS: Final = ("jax.errors.NonConcreteBooleanIndexError",)
FORMAT_ERRORS: Final = ("TypeError", "jax.errors.ConcretizationTypeError")

_TYPE_ERRORS: Final = frozenset(
    {
        "ConcretizationTypeError",
        "TracerBoolConversionError",
        "TracerArrayConversionError",
        "TracerIntegerConversionError",
        "JAXTypeError",
        "TypeError",
    }
)
#: all that tracing raises, by the last parts of the names
ALL_ERRORS: Final = _TYPE_ERRORS | {
    "NonConcreteBooleanIndexError",
    "IndexError",
    "ValueError",
    "AttributeError",
}
_CAUGHT: Final = {
    "builtins.TypeError": _TYPE_ERRORS,
    "builtins.Exception": ALL_ERRORS,
    "builtins.BaseException": ALL_ERRORS,
    "builtins.IndexError": frozenset({"NonConcreteBooleanIndexError", "IndexError"}),
}


def is_of_jax(name: str) -> bool:
    """Whether an exception class is JAX's own: who catches it expects a tracer."""
    return name.startswith(("jax.errors.", "jax.core."))


def caught_by(name: str) -> frozenset[str]:
    """The errors of tracing, by the last parts of their names, that an ``except`` clause catches.

    Args:
      name: the qualified name of the class in the clause.
    """
    return ALL_ERRORS if is_of_jax(name) else _CAUGHT.get(name, frozenset())

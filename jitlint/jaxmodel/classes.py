"""Classes in type tests: what a tracer, an array or a Python scalar is an instance of."""

from __future__ import annotations

import sys
from typing import Final

TRACER_TYPES: Final = frozenset({"jax.core.Tracer", "jax.extend.core.Tracer"})
#: classes that a pytree is an instance of only if it is one array
BARE_ARRAYS: Final = TRACER_TYPES | {"jax.Array", "jax.numpy.ndarray"}
#: classes that every array and tracer is an instance of
ARRAY_TYPES: Final = frozenset(
    {
        "jax.Array",
        "jax.numpy.ndarray",
        "jaxtyping.Array",
        "chex.Array",
        "chex.ArrayDevice",
        "jax.typing.ArrayLike",
        "jaxtyping.ArrayLike",
        "collections.abc.Collection",
        "collections.abc.Container",
        "collections.abc.Iterable",
        "collections.abc.Sized",
        "typing.Collection",
        "typing.Container",
        "typing.Iterable",
        "typing.Sized",
        "builtins.object",
    }
)
#: the Python scalars, by class
SCALAR_TYPES: Final = {
    "builtins.int": "int",
    "builtins.float": "float",
    "builtins.bool": "bool",
    "builtins.complex": "complex",
    "builtins.str": "str",
    "builtins.bytes": "bytes",
}
#: classes of NumPy's scalars, besides the abstract ones
_NUMPY_SCALARS: Final = (
    "bool str_ bytes_ int8 int16 int32 int64 intp int_ uint8 uint16 uint32 uint64 uintp float16"
    " float32 float64 longdouble half single double complex64 complex128 csingle cdouble"
    " inexact complexfloating signedinteger unsignedinteger datetime64 timedelta64"
).split()
#: classes that a tracer never is an instance of
NEVER_TRACERS: Final = frozenset(
    {
        *SCALAR_TYPES,
        "builtins.list",
        "builtins.tuple",
        "builtins.dict",
        "builtins.set",
        "builtins.slice",
        "builtins.type",
        "numpy.ndarray",
        "numpy.generic",
        "numpy.number",
        "numpy.integer",
        "numpy.floating",
        "numpy.bool_",
        *(f"numpy.{name}" for name in _NUMPY_SCALARS),
        "numpy.dtype",
        "numbers.Number",
        "numbers.Real",
        "numbers.Integral",
        "numbers.Complex",
        "collections.abc.Sequence",
        "collections.abc.MutableSequence",
        "collections.abc.Mapping",
        "collections.abc.MutableMapping",
        "collections.abc.Set",
        "collections.abc.MutableSet",
        "collections.abc.Iterator",
        "collections.abc.Generator",
        "collections.abc.Awaitable",
        "collections.abc.Callable",
        "collections.abc.Hashable",
        "typing.Sequence",
        "typing.MutableSequence",
        "typing.Mapping",
        "typing.MutableMapping",
        "typing.Iterator",
        "typing.Generator",
        "typing.Callable",
        "types.FunctionType",
        "jax.ShapeDtypeStruct",
    }
)
#: the Python scalars that are instances of an abstract class of numbers
NUMBERS: Final = {
    "numbers.Number": ("int", "float", "bool", "complex"),
    "numbers.Real": ("int", "float", "bool"),
    "numbers.Integral": ("int", "bool"),
}
#: modules of abstract classes, which take for theirs whatever has certain methods
_ABSTRACT: Final = frozenset({"abc", "collections.abc", "typing"})


def excludes_tracers(name: str) -> bool:
    """Whether a tracer never is an instance of a class: of no class of Python's own but few.

    Args:
      name: the qualified name of the class.
    """
    if name in NEVER_TRACERS:
        return True
    module = name.rpartition(".")[0]
    if name in ARRAY_TYPES or module in _ABSTRACT:
        return False
    return module.partition(".")[0] in sys.stdlib_module_names or name == "jax.core.ShapedArray"


def excludes_leaves(name: str) -> bool:
    """Whether what a transform has made of a pytree never is an instance of a class.

    Args:
      name: the qualified name of the class.
    """
    return name in SCALAR_TYPES or name.partition(".")[0] in ("enum", "numbers", "numpy")

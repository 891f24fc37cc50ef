"""Decorators that the analysis looks through."""

from __future__ import annotations

import re
from typing import Final

#: decorators that leave what the function computes as it is
TRANSPARENT_DECORATORS: Final = frozenset(
    {
        "abc.abstractmethod",
        "typing.no_type_check",
        "typing.final",
        "typing.override",
        "typing.overload",
        "typing_extensions.override",
        "typing_extensions.final",
        "typing_extensions.deprecated",
        "warnings.deprecated",
        "flax.linen.compact",
        "flax.linen.nowrap",
        "haiku.transparent",
        "haiku.name_like",
        "jaxtyping.jaxtyped",
        "beartype.beartype",
        "typeguard.typechecked",
        "chex.assert_max_traces",
        "jax.named_scope",
        "jax.named_call",
        "jax.profiler.annotate_function",
        "numpy.errstate",
        "jax._src.traceback_util.api_boundary",
    }
)

#: words in names of decorators that make something else of a function: other compilers and
#: transforms, what is read or called in another way, one function of several, a derivative rule
_CHANGING: Final = frozenset(
    """jit njit pjit aot compile compiled kernel script numba nb torch tf tensorflow triton tl cupy
    cuda warp wp taichi ti mlx mx pallas pl vectorize guvectorize vmap pmap xmap shard grad jvp vjp
    defjvp defvjp primitive transpose transposed custom rule impl abstract lowering
    property cached setter getter deleter lazy contextmanager context generator coroutine
    dispatch dispatched overload multimethod generic curry curried partial partialmethod
    fixture patch remote delayed task tasks callback inject injected given""".split()
)
#: libraries whose decorators are all in the tables
_TABLED: Final = frozenset({"jax", "jaxlib", "numpy", "scipy", "functools", "contextlib"})


def keeps_function(name: str) -> bool:
    """Whether a decorator of which no table says anything leaves a function what it is.

    Args:
      name: its dotted name; what it is called with does not matter.
    """
    if name in TRANSPARENT_DECORATORS:
        return True
    if not name or name.partition(".")[0] in _TABLED:
        return False
    return _CHANGING.isdisjoint(re.split(r"[._]|(?<=[a-z])(?=[A-Z])", name.lower()))

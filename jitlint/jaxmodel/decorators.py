"""Decorators that the analysis looks through."""

from __future__ import annotations

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
    }
)

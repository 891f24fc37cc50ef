"""Other values for the arrays in the arguments of a call, of the same shapes and dtypes.

A made-up call has values of one kind only, so that of a choice one side would be seen.  Runs in a
child process only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy


def _varies(leaf: Any) -> bool:
    jax, numpy = real_jax(), real_numpy()
    return isinstance(leaf, jax.Array | numpy.ndarray) and bool(
        jax.dtypes.issubdtype(leaf.dtype, numpy.floating)
    )


def can_vary(tree: Any) -> bool:
    """Whether a tree holds arrays that could have other values."""
    return any(map(_varies, real_jax().tree.leaves(tree)))


def _mapped(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that changes the floating-point arrays of a tree."""

    def other(leaf: Any) -> Any:
        return change(leaf).astype(leaf.dtype) if _varies(leaf) else leaf

    return lambda tree: real_jax().tree.map(other, tree)


#: the values as they are stand first
VARIATIONS: dict[str, Callable[[Any], Any]] = {
    "as they are": lambda tree: tree,
    "negated": _mapped(lambda leaf: -leaf),
    "zero": _mapped(lambda leaf: leaf * 0),
    "mixed in sign": _mapped(lambda leaf: leaf - leaf.mean()),
}

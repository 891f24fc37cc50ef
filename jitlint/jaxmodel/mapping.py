"""What ``vmap`` does in host code, where it runs operation by operation."""

from __future__ import annotations

from typing import Final

#: control flow that compiles nothing where a mapped value chooses: ``vmap`` runs all branches and
#: selects.  Observed under JAX 0.10.2: no compilation by repeated calls of a ``cond`` or ``switch``
#: on a mapped value, one by each of a ``cond`` on another one, a ``scan``, a loop under ``vmap``
SELECTING: Final = {"jax.lax.cond": (0, "pred"), "jax.lax.switch": (0, "index")}


def is_mapping(name: str) -> bool:
    """Whether a name is that of a ``vmap``: JAX's own, or one of a library."""
    return "vmap" in name.rpartition(".")[2]

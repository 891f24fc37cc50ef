"""Tracers in values, and values in their place."""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Mapping
from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy


def traced() -> bool:
    """Whether a trace is running."""
    # No public function tells; without the private one, everything counts as traced.
    core = sys.modules.get("jax._src.core")
    clean = getattr(core, "trace_state_clean", None)
    return True if clean is None else not clean()


def is_tracer(value: Any) -> bool:
    """Whether a value, or any leaf of it, is a tracer; False where it is no tree."""
    jax = real_jax()

    try:
        return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value))
    except Exception:
        return False


def cached(function: functools._lru_cache_wrapper[Any]) -> list[Any]:
    """What a function decorated by ``lru_cache`` or ``cache`` keeps, and some of what it needs.

    No public function tells; the garbage collector knows the results, or the dict that has them.
    """
    own = (vars(function), function.__wrapped__)
    return [
        held
        for held in gc.get_referents(function)
        if not isinstance(held, type) and all(held is not known for known in own)
    ]


def tracer_in(value: Any, path: str, depth: int = 3) -> tuple[str, Any]:
    """A tracer that an object leads to, with the way there."""
    jax = real_jax()

    if isinstance(value, jax.core.Tracer):
        return path, value
    if depth == 0:
        return path, None
    inner: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        inner = [(f"{path}[{key!r}]", item) for key, item in value.items()]
    elif isinstance(value, list | tuple | set | frozenset) or type(value).__name__ == "deque":
        inner = [(f"{path}[{number}]", item) for number, item in enumerate(value)]
    elif isinstance(value, functools._lru_cache_wrapper):
        inner = [(f"the cache of {path}", item) for item in cached(value)]
    else:
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, Mapping):
            inner = [(f"{path}.{name}", item) for name, item in attributes.items()]
    for step, item in inner:
        found = tracer_in(item, step, depth - 1)
        if found[1] is not None:
            return found
    return path, None


def concrete(tree: Any, number: int) -> Any:
    """Arguments in which Python numbers stand for tracers that are single numbers."""
    jax = real_jax()
    numpy = real_numpy()

    def other(leaf: Any) -> Any:
        if not isinstance(leaf, jax.core.Tracer):
            return leaf
        if leaf.ndim == 0 and numpy.issubdtype(leaf.dtype, numpy.bool_):
            return bool(number)
        if leaf.ndim == 0 and numpy.issubdtype(leaf.dtype, numpy.number):
            return number
        return leaf

    return jax.tree.map(other, tree)

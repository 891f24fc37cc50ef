"""Tracers in values, and values in their place."""

from __future__ import annotations

import functools
import gc
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from types import ModuleType
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
    """A tracer that an object leads to, the nearest one, with the way there.

    Args:
      value: the object.
      path: what it is called.
      depth: how far to look.
    """
    jax = real_jax()

    left = deque([(value, path, depth)])
    seen: set[int] = set()
    while left:
        at, name, further = left.popleft()
        if isinstance(at, jax.core.Tracer):
            return name, at
        if further == 0 or id(at) in seen:
            continue
        if at is not value and isinstance(at, ModuleType | type):
            # What they hold is theirs, and may be half of all there is.
            continue
        seen.add(id(at))
        left.extend((item, step, further - 1) for step, item in _held_by(at, name))
    return path, None


def _held_by(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """What an object holds, with the way to each."""
    if isinstance(value, Mapping):
        yield from ((f"{path}[{key!r}]", item) for key, item in [*value.items()])
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from ((f"{path}[{number}]", item) for number, item in enumerate([*value]))
    elif isinstance(value, functools._lru_cache_wrapper):
        yield from ((f"the cache of {path}", item) for item in cached(value))
    else:
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, Mapping):
            yield from ((f"{path}.{name}", item) for name, item in attributes.items())


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

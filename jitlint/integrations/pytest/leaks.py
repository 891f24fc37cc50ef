"""Tracers that have outlived their trace, and who keeps them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from types import CellType, FrameType, FunctionType, ModuleType
from typing import Any

from jitlint.verify.recording.real_jax import real_jax

#: how far up the holders of a holder are asked for its name
_MOST_DEPTH = 4


def living() -> dict[int, Any]:
    """All tracers that are alive, by identity; to be asked while no trace is running."""
    gc.collect()
    tracer = real_jax().core.Tracer
    return {id(item): item for item in gc.get_objects() if isinstance(item, tracer)}


def leaked(known: dict[int, Any]) -> list[str]:
    """Where tracers are kept that were not there before, one line each.

    What only a frame or a traceback holds goes away with it, and is no leak.

    Args:
      known: the tracers that were alive before.
    """
    found = []
    for key, item in living().items():
        if key not in known:
            where = next(_ways(item, "", _MOST_DEPTH, {id(known)}), None)
            if where is not None:
                found.append(f"{item.aval.str_short()} is kept in {where}")
    return sorted(set(found))


def _ways(item: Any, inner: str, depth: int, seen: set[int]) -> Iterator[str]:
    """Names for the place that keeps an object, from what refers to it."""
    tracer = real_jax().core.Tracer
    seen.add(id(item))
    holders = gc.get_referrers(item)
    seen |= {id(holders)}
    for holder in holders:
        if id(holder) in seen or isinstance(holder, FrameType | tracer) or holder is _ways:
            continue
        step = _step(holder, item)
        if step is None:
            continue
        name, ends = step
        if ends:
            yield f"{name}{inner}"
        elif depth:
            yield from _ways(holder, f"{name}{inner}", depth - 1, seen)


def _step(holder: Any, item: Any) -> tuple[str, bool] | None:
    """The name of an object in its holder, and whether that names the place in full."""
    if isinstance(holder, dict):
        key = next((key for key, value in holder.items() if value is item), None)
        if "__name__" in holder and isinstance(key, str):
            return f"{holder['__name__']}.{key}", True
        if key is None:
            return None
        owner = _owner(holder)
        return (f"{owner}.{key}", True) if owner else (f"[{key!r}]", False)
    if isinstance(holder, list | tuple):
        number = next((number for number, value in enumerate(holder) if value is item), None)
        return None if number is None else (f"[{number}]", False)
    if isinstance(holder, set | frozenset):
        return "{...}", False
    if isinstance(holder, CellType):
        function = next((f for f in gc.get_referrers(holder) if isinstance(f, tuple)), None)
        for user in gc.get_referrers(function) if function is not None else ():
            if isinstance(user, FunctionType):
                position = list(user.__closure__ or ()).index(holder)
                return f"{user.__code__.co_freevars[position]} of {user.__qualname__}", True
        return None
    module = type(holder).__module__.partition(".")[0]
    if module in ("jax", "jaxlib", "builtins", "_pytest") or isinstance(holder, ModuleType):
        return None
    names = getattr(holder, "__dict__", {})
    name = next((key for key, value in names.items() if value is item), None)
    return None if name is None else (f"{type(holder).__name__}.{name}", True)


def _owner(attributes: dict[Any, Any]) -> str | None:
    """The type of the object whose attributes a dict holds."""
    for user in gc.get_referrers(attributes):
        if getattr(user, "__dict__", None) is attributes:
            return type(user).__name__
    return None

"""What a traced function was called with, and what has changed since the last time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from jitlint.verify.recording.real_jax import real_jax

_LONGEST = 60


@dataclass(frozen=True)
class Leaf:
    """One leaf of an argument.

    Args:
      kind: ``array`` for what is traced, ``static`` for what Python sees.
      text: as it is shown.
      shape: of an array.
      dtype: of an array.
      weak: whether an array came from a Python number.
    """

    kind: str
    text: str
    shape: tuple[int, ...] = ()
    dtype: str = ""
    weak: bool = False


#: the leaves of each argument, by the way to them: ``params['w']``
Signature = Mapping[str, Leaf]


def arguments_of(frame: FrameType) -> dict[str, Any]:
    """The arguments of a function that has just begun, by name."""
    code = frame.f_code
    number = code.co_argcount + code.co_kwonlyargcount
    number += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    values = frame.f_locals
    return {name: values[name] for name in code.co_varnames[:number] if name in values}


def signature(arguments: Mapping[str, Any]) -> Signature:
    """What arguments are to ``jax.jit``: shapes and dtypes, static values, structure."""
    jax = real_jax()
    found: dict[str, Leaf] = {}
    for name, value in arguments.items():
        try:
            leaves, _ = jax.tree_util.tree_flatten_with_path(value)
        except Exception:
            leaves = [((), value)]
        if not leaves:
            found[name] = Leaf("static", _shown(value))
        for path, leaf in leaves:
            found[f"{name}{jax.tree_util.keystr(path)}"] = _leaf(leaf)
    return found


def _leaf(value: Any) -> Leaf:
    if not isinstance(value, real_jax().core.Tracer):
        return Leaf("static", _shown(value))
    shape, dtype = tuple(value.shape), str(value.dtype)
    weak = bool(getattr(value.aval, "weak_type", False))
    sizes = ",".join(map(str, shape))
    return Leaf("array", f"{dtype}[{sizes}]", shape, dtype, weak)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def shown(found: Signature) -> str:
    """Arguments on one line."""
    return ", ".join(f"{path}: {leaf.text}" for path, leaf in found.items())


def changes(before: Signature, after: Signature) -> list[str]:
    """Why JAX could not use the program of an earlier call, one sentence an argument.

    Args:
      before: the earlier call.
      after: the call that was traced again.
    """
    found = [
        f"`{path}` {_change(before[path], leaf)}"
        for path, leaf in after.items()
        if path in before and leaf != before[path]
    ]
    gone = [path for path in before if path not in after]
    new = [path for path in after if path not in before]
    if gone or new:
        parts = [f"without `{path}`" for path in gone] + [f"with `{path}`" for path in new]
        found.append(f"the structure changed: {', '.join(parts[:4])}")
    return found


def _change(before: Leaf, after: Leaf) -> str:
    if before.kind != after.kind:
        static, traced = (before, after) if before.kind == "static" else (after, before)
        return f"is the static value {static.text} in one call and {traced.text} in another"
    if after.kind == "static":
        return f"is static, and its value changed from {before.text} to {after.text}"
    if before.dtype != after.dtype:
        return f"changed its dtype from {before.text} to {after.text}"
    if before.shape != after.shape:
        return f"changed its shape from {before.text} to {after.text}"
    what = ("a Python number", "an array")
    first, second = what if before.weak else what[::-1]
    return f"was {first} and is {second} ({after.text})"

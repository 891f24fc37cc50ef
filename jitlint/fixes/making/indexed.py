"""JIT107, and JIT106 of indices: arrays are indexed in place of lists; slices get a static size."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.events import Event, NumpyCall, PythonIndex
from jitlint.absint.machine.always import ARRAYS
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

_ACTS = (cst.NamedExpr, cst.Await, cst.Yield)


def fix(event: Event) -> Fix | None:
    """Index an array, or slice with ``jax.lax.dynamic_slice_in_dim``."""
    draft = Draft(event)
    node = draft.node
    if not isinstance(node, cst.Subscript) or isinstance(draft.parent(node), _STORES):
        return None
    if any(isinstance(inner, _ACTS) for inner in walk(node)):
        return None
    if isinstance(event, NumpyCall):
        return _of_array(draft, node) if event.callee == "NumPy array index" else None
    assert isinstance(event, PythonIndex)
    if event.construct == "slice bound":
        return _slice(draft, node) if event.of_array else None
    sequence = event.construct in ("list index", "tuple index") and ARRAYS in event.always
    return _of_array(draft, node) if sequence else None


_STORES = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del, cst.For)


def _of_array(draft: Draft, node: cst.Subscript) -> Fix | None:
    """``TABLE[i]`` becomes ``jnp.asarray(TABLE)[i]``, which takes the nearest of what is there."""
    jnp = name_of(draft, "jax.numpy")
    if jnp is None or any(not isinstance(part.slice, cst.Index) for part in node.slice):
        return None
    draft.before(node.value, f"{jnp}.asarray(")
    draft.behind(node.value, ")")
    return draft.fix(f"Index an array: `{jnp}.asarray(...)`", Applicability.UNSAFE)


def _slice(draft: Draft, node: cst.Subscript) -> Fix | None:
    """``x[i : i + 4]`` has a static size."""
    if isinstance(node.value, cst.Attribute) and node.value.attr.value == "at":
        return None
    parts = [part.slice for part in node.slice]
    sliced = [part for part in parts if isinstance(part, cst.Slice)]
    if len(sliced) != len(parts) or any(part.step is not None for part in sliced):
        return None
    jax = name_of(draft, "jax")
    text = draft.text(node.value)
    cut = 0
    for axis, part in enumerate(sliced):
        if part.lower is None and part.upper is None:
            continue
        window = _window(draft, part)
        if window is None:
            return _masked(draft, node, sliced)
        start, size = window
        suffix = f", axis={axis}" if axis else ""
        text = f"{jax}.lax.dynamic_slice_in_dim({text}, {start}, {size}{suffix})"
        cut += 1
    if jax is None or not cut:
        return None
    draft.replace(node, text)
    return draft.fix(f"Slice with `{jax}.lax.dynamic_slice_in_dim`", Applicability.UNSAFE)


def _window(draft: Draft, part: cst.Slice) -> tuple[str, str] | None:
    """Where a slice begins, and how long it is, if its bounds say that by their look."""
    if part.lower is None or part.upper is None:
        return None
    lower, upper = draft.text(part.lower), draft.text(part.upper)
    high, low = part.upper, part.lower
    if isinstance(high, cst.BinaryOperation) and isinstance(high.operator, cst.Add):
        for one, other in ((high.left, high.right), (high.right, high.left)):
            if draft.text(one) == lower:
                return lower, draft.text(other)
    if not isinstance(low, cst.BinaryOperation) or not isinstance(low.operator, cst.Subtract):
        return None
    return (lower, draft.text(low.right)) if draft.text(low.left) == upper else None


def _masked(draft: Draft, node: cst.Subscript, parts: list[cst.Slice]) -> Fix | None:
    """``x[:n]`` with zeros behind: what uses it has to know."""
    (part, *others) = parts
    jnp = name_of(draft, "jax.numpy")
    if others or part.lower is not None or part.upper is None or jnp is None:
        return None
    array = draft.text(node.value)
    mask = f"{jnp}.arange({array}.shape[0]) < {draft.text(part.upper)}"
    draft.replace(node, f"{jnp}.where({mask}, {array}, 0)")
    return draft.fix("Keep the shape, with zeros behind the bound", Applicability.DISPLAY_ONLY)

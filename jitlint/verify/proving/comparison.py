"""Whether two runs of a program gave the same.

Runs in a child process only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy

_NUMBER = re.compile(r"[-+]?\d+\.\d*(?:e[-+]?\d+)?")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
#: how much of a value is shown
_MOST_SHOWN = 120
#: kinds of dtypes that are compared: bool, integers, floats and complex numbers
_NUMERIC = "biufcV"


@dataclass(frozen=True)
class Snapshot:
    """What a value was at one time.

    Args:
      structure: of the tree, in words.
      leaves: arrays as NumPy's own copies, Python's simple values; of others nothing.
    """

    structure: str
    leaves: Sequence[Any]

    @property
    def size(self) -> int:
        """How many leaves can be compared."""
        return sum(leaf is not None for leaf in self.leaves)


def snapshot(value: Any, *, measured: bool = False, arrays: bool = True) -> Snapshot:
    """What a value is now.

    Args:
      value: any tree; of the globals of a program, modules, functions and classes are left out.
      measured: Python's floats are durations, which nobody compares.
      arrays: whether arrays are kept.
    """
    jax = real_jax()
    try:
        leaves, structure = jax.tree.flatten(value)
    except (TypeError, ValueError):
        # Keys that cannot be ordered, say.
        leaves, structure = [value], "*"
    kept = [_kept(leaf, measured=measured, arrays=arrays) for leaf in leaves]
    return Snapshot(_ADDRESS.sub("", str(structure)), kept)


def of_globals(values: dict[str, Any]) -> dict[str, Any]:
    """What the globals of a program hold of its results, by name."""
    return {
        name: value
        for name, value in values.items()
        if not name.startswith("__") and not isinstance(value, ModuleType | type)
    }


def _kept(leaf: Any, *, measured: bool, arrays: bool) -> Any:
    jax, numpy = real_jax(), real_numpy()
    if isinstance(leaf, jax.core.Tracer):
        return None
    if isinstance(leaf, str | bytes):
        return leaf
    if isinstance(leaf, bool | int | float | complex):
        return None if measured and isinstance(leaf, float) else numpy.asarray(leaf)
    if isinstance(leaf, jax.Array | numpy.ndarray | numpy.generic) and arrays:
        if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            leaf = jax.random.key_data(leaf)
        try:
            copied = numpy.array(leaf)
        except RuntimeError:
            # Its buffer was given away.
            return None
        return copied if copied.dtype.kind in _NUMERIC else None
    return None


def difference(old: Snapshot, new: Snapshot) -> str | None:
    """How two values differ, in words; None where they do not, to what their dtypes hold."""
    jax, numpy = real_jax(), real_numpy()
    if old.structure != new.structure:
        return f"{_short(old.structure)} became {_short(new.structure)}"
    for one, other in zip(old.leaves, new.leaves, strict=True):
        if one is None or other is None:
            continue
        if isinstance(one, str | bytes) or isinstance(other, str | bytes):
            # Texts that hold numbers differ in their last digits.
            if type(one) is not type(other) or not same_text(str(one), str(other)):
                return f"{_short(one)} became {_short(other)}"
            continue
        if one.shape != other.shape:
            return f"shape {one.shape} became {other.shape}"
        dtype = jax.dtypes.canonicalize_dtype(one.dtype)
        if dtype != jax.dtypes.canonicalize_dtype(other.dtype):
            return f"{one.dtype} became {other.dtype}"
        if not _close(one, other, dtype):
            return f"{_short(numpy.array2string(one))} became {_short(numpy.array2string(other))}"
    return None


def _close(one: Any, other: Any, dtype: Any) -> bool:
    """Whether two arrays agree in half of the digits that their dtype holds."""
    jax, numpy = real_jax(), real_numpy()
    if not jax.numpy.issubdtype(dtype, jax.numpy.inexact):
        return bool(numpy.array_equal(one, other))
    tolerance = float(jax.numpy.finfo(dtype).eps) ** 0.5
    wide = numpy.complex128 if jax.numpy.issubdtype(dtype, numpy.complexfloating) else numpy.float64
    one, other = one.astype(wide), other.astype(wide)
    scale = numpy.abs(one[numpy.isfinite(one)]).max(initial=0.0)
    near = tolerance * max(0.03, 0.01 * scale)
    return bool(numpy.allclose(one, other, rtol=tolerance, atol=near, equal_nan=True))


def same_text(old: str, new: str, *, measured: bool = False) -> bool:
    """Whether two texts have the same lines, in any order, but for the last digits.

    Args:
      old: one text.
      new: the other.
      measured: numbers are durations, which nobody compares.
    """
    numpy = real_numpy()
    lines, new_lines = sorted(old.splitlines()), sorted(new.splitlines())
    if [_NUMBER.sub("0.", line) for line in lines] != [_NUMBER.sub("0.", it) for it in new_lines]:
        return False
    numbers = [float(number) for number in _NUMBER.findall("\n".join(lines))]
    new_numbers = [float(number) for number in _NUMBER.findall("\n".join(new_lines))]
    return measured or bool(numpy.allclose(numbers, new_numbers, rtol=1e-4, atol=1e-5))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."

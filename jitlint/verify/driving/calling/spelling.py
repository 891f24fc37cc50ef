"""Values as the Python that makes them again, for calls that can be pasted.

Runs in a child process only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy

#: more elements than these are drawn or counted, and not written out
_MOST_WRITTEN = 12
_MOST_DEPTH = 6


class Speller:
    """Spells values.

    What was made by a call, or is a value of the user's module, is known by its identity.
    """

    def __init__(self) -> None:
        # Held, so that no other value takes its identity.
        self._known: dict[int, tuple[Any, str]] = {}

    def note(self, value: Any, text: str | None) -> None:
        """Remember how a value is spelled; nothing if that is not known."""
        if text is not None:
            self._known[id(value)] = (value, text)

    def note_call(self, value: Any, function: str | None, values: Mapping[str, Any]) -> None:
        """Remember that a value was made by a call.

        Args:
          value: what came of it.
          function: what was called, as it is spelled.
          values: with which keywords.
        """
        arguments = self.arguments([], values)
        if function is not None and arguments is not None:
            self.note(value, f"{function}({arguments})")

    def arguments(self, args: list[Any], kwargs: Mapping[str, Any]) -> str | None:
        """The arguments of a call, None where one of them cannot be spelled."""
        parts = [self.spell(value) for value in args]
        spelled = {name: self.spell(value) for name, value in kwargs.items()}
        if None in parts or None in spelled.values():
            return None
        return ", ".join([*map(str, parts), *(f"{name}={text}" for name, text in spelled.items())])

    def spell(self, value: Any, depth: int = 0) -> str | None:
        """A value as an expression, None where that is not known."""
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        if depth > _MOST_DEPTH:
            return None
        if value is None or value is Ellipsis or type(value) in (bool, int, float, complex, str):
            return (
                repr(value) if repr(value) not in ("inf", "-inf", "nan") else f'float("{value!r}")'
            )
        if type(value) in (list, tuple, dict):
            return self._container(value, depth)
        jax, numpy = real_jax(), real_numpy()
        if isinstance(value, jax.core.Tracer):
            return None
        if isinstance(value, jax.Array):
            # What a call has donated cannot be read any more.
            return None if value.is_deleted() else _array(value)
        if isinstance(value, numpy.ndarray) and value.dtype != object:
            return _numbers(value, "np.asarray")
        if isinstance(value, numpy.generic):
            return f"np.{value.dtype.name}({value.item()!r})"
        return self._named_tuple(value, depth)

    def _container(self, value: Any, depth: int) -> str | None:
        inner = [*value.keys(), *value.values()] if isinstance(value, dict) else [*value]
        parts = [self.spell(item, depth + 1) for item in inner]
        if None in parts:
            return None
        if isinstance(value, dict):
            half = len(parts) // 2
            pairs = zip(parts[:half], parts[half:], strict=True)
            return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
        text = ", ".join(map(str, parts))
        if isinstance(value, list):
            return f"[{text}]"
        return f"({text},)" if len(parts) == 1 else f"({text})"

    def _named_tuple(self, value: Any, depth: int) -> str | None:
        """One whose class was made for a call, out of the attributes that a function reads."""
        names = getattr(value, "_fields", None)
        if type(value).__qualname__ != "inputs" or names is None:
            return None
        parts = [self.spell(item, depth + 1) for item in value]
        if None in parts:
            return None
        return f'collections.namedtuple("inputs", {[*names]})({", ".join(map(str, parts))})'


def _array(value: Any) -> str:
    jax = real_jax()

    if jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key):
        data = real_numpy().asarray(jax.random.key_data(value)).tolist()
        if value.shape == () and data[:-1] == [0] * (len(data) - 1):
            return f"jax.random.key({data[-1]})"
        return f'jax.random.wrap_key_data(jnp.asarray({data}, dtype="uint32"))'
    return _numbers(real_numpy().asarray(value), "jnp.asarray")


def _written(value: Any) -> str:
    """Nested lists of numbers, each with no more digits than tell it from others of its dtype."""
    if value.ndim:
        return f"[{', '.join(map(_written, value))}]"
    text = str(value)
    return f'float("{text}")' if text in ("inf", "-inf", "nan") else text


def _numbers(value: Any, function: str) -> str:
    """An array by its numbers where they are few, else by its shape and a seed."""
    dtype = f'dtype="{value.dtype.name}"'
    if value.size <= _MOST_WRITTEN:
        return f"{function}({_written(value)}, {dtype})"
    kind = value.dtype.kind
    if kind in "fcV":
        made = f"np.random.default_rng(0).random({value.shape})"
    else:
        made = f"np.arange({value.size}).reshape({value.shape})" + (" % 2" if kind == "b" else "")
    return f"{function}({made}, {dtype})"

"""Arrays of small numbers, and others like them.

Runs in a child process only.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy


def array_of(shape: tuple[int, ...], dtype: str = "float", turn: int = 0) -> Any:
    """An array of small numbers: between 0 and 1, zeros and ones, or both truths.

    Args:
      shape: its shape.
      dtype: ``int``, ``bool``, or anything else for floating-point numbers.
      turn: tells arrays of one shape apart.
    """
    numpy = real_numpy()
    # By NumPy, since each operation of JAX would have to be compiled first, `asarray` too.
    count = int(numpy.prod(shape))
    numbers = numpy.arange(count)
    if dtype == "int":
        made = (numbers % 2).astype(numpy.int32)
    elif dtype == "bool":
        made = numbers % 2 == 0
    else:
        made = (numbers.astype(numpy.float32) + 1 + turn) / (count + 1)
    return real_jax().device_put(made.reshape(shape))


def jaxtyping_shape(annotation: Any) -> tuple[int, ...]:
    """A shape that an annotation of jaxtyping allows."""
    shape = []
    for word in str(annotation.dim_str).split():
        if "..." not in word:
            digits = word.lstrip("#*")
            shape.append(int(digits) if digits.isdigit() else 2 + sum(map(ord, digits)) % 3)
    return tuple(shape)


def other_values(arguments: Any, turn: int) -> Any:
    """Arguments with other values of the same shapes and dtypes; ``turn`` 0 gives the same ones.

    Only arrays of numbers change: Python values may be static, and other ones would trace anew.
    """
    jax = real_jax()
    numpy = real_numpy()

    def other(leaf: Any) -> Any:
        if isinstance(leaf, (jax.Array, numpy.ndarray)):
            if jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key):
                return jax.random.fold_in(leaf, turn) if turn else leaf
            if jax.numpy.issubdtype(leaf.dtype, numpy.number):
                return (leaf + turn).astype(leaf.dtype)
        return leaf

    return jax.tree.map(other, arguments)


@contextlib.contextmanager
def changed_attribute(method: Any, name: str) -> Iterator[bool]:
    """Give an attribute of the object of a method another value of its kind, for some time.

    Args:
      method: the bound method.
      name: of the attribute.

    Yields:
      Whether that was done.
    """
    owner = getattr(method, "__self__", None)
    before = getattr(owner, "__dict__", {}).get(name)
    after = before
    if isinstance(before, bool):
        after = not before
    elif isinstance(before, int | float):
        after = before + 1
    elif before is not None:
        after = other_values(before, 1)
    try:
        setattr(owner, name, after)
    except Exception:
        # There is none, or it is frozen.
        yield False
        return
    try:
        yield after is not before
    finally:
        setattr(owner, name, before)

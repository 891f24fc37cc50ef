"""Records: dataclasses with slots and nothing but an initializer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False) -> Callable[[type[_T]], type[_T]]:
    """Make a class a record: what is told apart by identity, and by convention never changed.

    A frozen dataclass compiles six methods when its module is imported, and sets each field of a
    new object by a call.  Both are felt where start-up counts and where objects are made by the
    ten thousand; mypy sees to it that nothing is assigned to.

    Args:
      kw_only: whether fields are passed by name alone.
    """

    def make(cls: type[_T]) -> type[_T]:
        return dataclass(slots=True, eq=False, repr=False, kw_only=kw_only)(cls)

    return make

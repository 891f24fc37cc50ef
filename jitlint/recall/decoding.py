"""What a store holds, read as what it should be."""

from __future__ import annotations

from typing import TypeVar

import msgspec

_Record = TypeVar("_Record")


def decoded(data: bytes | None, kind: type[_Record]) -> _Record | None:
    """A record of some type; None where nothing is kept, or something else, whatever it is."""
    try:
        return None if data is None else msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None

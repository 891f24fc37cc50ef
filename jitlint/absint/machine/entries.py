"""The functions that transforms trace, as ``jitlint traced`` lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.frames import Chain
from jitlint.foundation.records import record


@record()
class Entry:
    """A function that a transform traces: what ``jitlint traced`` shows."""

    code: Code
    transform: str
    parameters: tuple[tuple[str, str], ...]
    chain: Chain | None


def merge_kinds(known: Mapping[str, str], kinds: Mapping[str, str]) -> dict[str, str]:
    """What parameters hold in all calls, from what they held in some and in another."""
    merged = dict(known)
    for name, kind in kinds.items():
        if merged.get(name, kind) != kind:
            kind = "traced" if "traced" in (kind, merged[name]) else "unknown"
        merged[name] = kind
    return merged


def merge_entries(found: Iterable[Mapping[tuple[Any, ...], Entry]]) -> list[Entry]:
    """The entries of several runs, each once."""
    merged: dict[tuple[Any, ...], Entry] = {}
    for entries in found:
        for key, entry in entries.items():
            known = merged.get(key)
            if known is not None:
                kinds = merge_kinds(dict(known.parameters), dict(entry.parameters))
                entry = Entry(entry.code, entry.transform, tuple(kinds.items()), entry.chain)
            merged[key] = entry
    return list(merged.values())

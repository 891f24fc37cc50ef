"""The functions that run in a trace, as ``jitlint traced`` lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.frames import Chain
from jitlint.foundation.records import Record


class Entry(Record):
    """A function that JAX traces, in whatever ways: what ``jitlint traced`` shows.

    Args:
      code: the function.
      transforms: what traces it: for one that is called in a trace, what began that.
      parameters: what each holds, one of :data:`KINDS`.
      chain: how one of the traces leads to it.
      direct: whether that is the transform by itself, and no call in its trace.
    """

    code: Code
    transforms: tuple[str, ...]
    parameters: Mapping[str, str]
    chain: Chain | None
    direct: bool


#: traced, and nothing shows whether it is one array or a container of them
UNCLEAR = "unclear"
#: None, or an object without tracers in it: what other calls pass it does not tell
HOLLOW = "hollow"
#: what a parameter may hold; what comes later in one call counts more than the rest in others
KINDS = (HOLLOW, "unknown", "static", UNCLEAR, "container", "traced")
#: what is said of those that are no words of the listing
SAID = {UNCLEAR: "unknown", HOLLOW: "static"}


def merge_kinds(known: Mapping[str, str], kinds: Mapping[str, str]) -> dict[str, str]:
    """What parameters hold in all calls, from what they held in some and in another."""
    merged = dict(known)
    for name, kind in kinds.items():
        merged[name] = max(kind, merged.get(name, kind), key=KINDS.index)
    return merged


def merged(known: Entry | None, entry: Entry) -> Entry:
    """One entry for a function that is seen twice."""
    if known is None:
        return entry
    transforms = tuple(dict.fromkeys((*known.transforms, *entry.transforms)))
    parameters = merge_kinds(known.parameters, entry.parameters)
    shown = entry if entry.direct and not known.direct else known
    return Entry(known.code, transforms, parameters, shown.chain, shown.direct)


def merge_entries(found: Iterable[Mapping[int, Entry]]) -> list[Entry]:
    """The entries of several runs, each function once."""
    entries: dict[int, Entry] = {}
    for some in found:
        for key, entry in some.items():
            entries[key] = merged(entries.get(key), entry)
    return list(entries.values())

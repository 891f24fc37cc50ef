"""From what placeholders were asked to what they stand for.

Runs in a child process only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jitlint.verify.driving.growing.placeholders import Facts
from jitlint.verify.driving.growing.specs import Inputs, Kind, Path, Spec

#: what only a container or an object is asked
_COMPOUND = frozenset({"key", "mapping", "attribute", "unpacked", "called"})
#: more elements than these are never made
_MOST_ELEMENTS = 8

_Table = dict[Path, dict[str, list[Any]]]


def learn(inputs: Inputs, facts: Facts) -> bool:
    """Put what was asked during a run into what is known of the inputs.

    Args:
      inputs: is changed.
      facts: what was asked.

    Returns:
      Whether something is known that was not before.
    """
    table: _Table = {}
    for path, what, more in facts.found:
        table.setdefault(path, {}).setdefault(what, []).append(more)
    before = inputs.described()
    for name, root in inputs.roots.items():
        _resolve(inputs, root, [(("root", name),)], table)
    return inputs.described() != before


def new(inputs: Inputs, name: str = "", rank: int = 1) -> Spec:
    """Something of which nothing is known yet."""
    return Spec(dims=tuple(inputs.sizes.new() for _ in range(rank)), name=name)


def _asked(paths: Iterable[Path], table: _Table) -> dict[str, list[Any]]:
    asked: dict[str, list[Any]] = {}
    for path in paths:
        for what, more in table.get(path, {}).items():
            asked.setdefault(what, []).extend(more)
    return asked


def _resolve(inputs: Inputs, spec: Spec, paths: list[Path], table: _Table) -> None:
    asked = _asked(paths, table)
    if spec.kind is Kind.UNKNOWN and asked:
        _decide(inputs, spec, paths, asked, table)
    if spec.kind is Kind.MAPPING:
        for key in asked.get("key", ()):
            spec.children.setdefault(key, new(inputs, str(key)))
        steps = [("key", key) for key in spec.children]
    elif spec.kind is Kind.RECORD:
        for name in asked.get("attribute", ()):
            spec.children.setdefault(name, new(inputs, name))
        steps = [("attribute", name) for name in spec.children]
    elif spec.kind is Kind.SEQUENCE:
        steps = [("place", place) for place in spec.children]
    else:
        return
    alike = spec.kind is Kind.SEQUENCE and "unpacked" not in asked and spec.choice == 0
    places = (
        {
            path[len(known)]
            for path in table
            for known in paths
            if path[: len(known)] == known
            and len(path) > len(known)
            and path[len(known)][0] == "place"
        }
        if alike
        else set()
    )
    for step, child in zip(steps, list(spec.children.values()), strict=True):
        inner = [(*path, other) for path in paths for other in ({step} | places)]
        _resolve(inputs, child, inner, table)


def _decide(
    inputs: Inputs, spec: Spec, paths: list[Path], asked: dict[str, list[Any]], table: _Table
) -> None:
    """Say what something is that was asked something."""
    if "key" in asked or "mapping" in asked:
        spec.kind = Kind.MAPPING
    elif "attribute" in asked:
        spec.kind = Kind.RECORD
    elif "called" in asked:
        spec.kind = Kind.FUNCTION
    elif "text" in asked:
        spec.kind, spec.value = Kind.GIVEN, asked["text"][-1]
    elif "array" in asked:
        _make_array(inputs, spec, asked)
    elif "number" in asked or "decimal" in asked:
        spec.kind, spec.value = Kind.GIVEN, 2 if "number" in asked else 0.5
    elif "unpacked" in asked:
        count = asked["unpacked"][0]
        spec.kind, spec.choice = Kind.SEQUENCE, 1
        spec.children = {n: new(inputs, spec.name) for n in range(count)}
    elif "place" in asked or "iterated" in asked:
        _decide_elements(inputs, spec, paths, asked, table)
    elif asked.keys() & {"sliced", "sized"}:
        inputs.set_rank(spec, max(len(spec.dims), 1))


def _decide_elements(
    inputs: Inputs, spec: Spec, paths: list[Path], asked: dict[str, list[Any]], table: _Table
) -> None:
    """An array, or a sequence: as its elements say."""
    within: dict[str, list[Any]] = {}
    for path, questions in table.items():
        for known in paths:
            if path[: len(known)] == known and len(path) == len(known) + 1:
                for what, more in questions.items():
                    within.setdefault(what, []).extend(more)
    places = [place for place in asked.get("place", ()) if place is not None]
    count = max([2, *(place + 1 if place >= 0 else -place for place in places)])
    compound = within.keys() & (_COMPOUND | {"place", "iterated"})
    rank = max(within.get("array", [0]))
    if compound or rank > 1:
        spec.kind = Kind.SEQUENCE
        spec.children = {n: new(inputs, spec.name) for n in range(min(count, _MOST_ELEMENTS))}
    elif "array" in within:
        _make_array(inputs, spec, {"array": [rank + 1], "dtype": within.get("dtype", [])})
        first = inputs.sizes.known(spec.dims[0])
        if len(places) > 1 and inputs.sizes.size(first) < count:
            inputs.sizes.fix(first, count)


def _make_array(inputs: Inputs, spec: Spec, asked: dict[str, list[Any]]) -> None:
    spec.kind = Kind.ARRAY
    inputs.set_rank(spec, max(asked["array"]))
    for dtype in asked.get("dtype", ()):
        spec.dtype = "int" if dtype.startswith("int") else spec.dtype

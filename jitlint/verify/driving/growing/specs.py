"""What is known of an input so far: a tree of mappings, objects, sequences and arrays.

Runs in a child process only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from jitlint.verify.driving.growing.shapes import Sizes

#: a value costs as much as an array of so many numbers
_LEAST = 2_000

#: a step into a value: a key, the name of an attribute, or a place; None for any place
Step = tuple[str, Any]
Path = tuple[Step, ...]


class Kind(Enum):
    """What a value is."""

    UNKNOWN = "unknown"
    ARRAY = "array"
    MAPPING = "mapping"
    RECORD = "record"
    SEQUENCE = "sequence"
    #: a key of random numbers
    KEY = "key"
    #: a value as it is
    GIVEN = "given"
    #: one of the values that are tried for what is called, by its place
    FUNCTION = "function"


#: what a step into a value is called, by what it is
STEPS = {Kind.MAPPING: "key", Kind.RECORD: "attribute", Kind.SEQUENCE: "place"}


@dataclass
class Spec:
    """What is known of a value.

    Args:
      kind: what it is.
      dims: of an array, or of what may be one: its dimensions, by number.
      dtype: ``float``, ``int`` or ``bool``.
      children: what it holds: by key, by attribute, or by place.
      value: what is given; of an object, its class if that is known.
      choice: which of several possible values is taken.
      name: what it is called.
    """

    kind: Kind = Kind.UNKNOWN
    dims: tuple[int, ...] = ()
    dtype: str = "float"
    children: dict[Any, Spec] = field(default_factory=dict)
    value: Any = None
    choice: int = 0
    name: str = ""

    def copy(self) -> Spec:
        """The same tree, to be changed; values that are given are shared."""
        children = {key: child.copy() for key, child in self.children.items()}
        return replace(self, children=children)

    def walk(self) -> Iterator[Spec]:
        """It, and all that it holds."""
        yield self
        for child in self.children.values():
            yield from child.walk()

    def described(self, sizes: Sizes) -> str:
        """It in a few words, the same for equals."""
        if self.kind in (Kind.ARRAY, Kind.KEY, Kind.UNKNOWN):
            dims = [sizes.size(n) for n in self.dims]
            return f"{self.kind.value}:{self.dtype}{dims}"
        if self.kind in (Kind.GIVEN, Kind.FUNCTION):
            return f"{self.kind.value}:{self.choice}:{id(self.value)}"
        inner = ", ".join(f"{k}={v.described(sizes)}" for k, v in self.children.items())
        return f"{self.kind.value}:{self.choice}({inner})"


@dataclass
class Inputs:
    """What is known of all inputs of a function.

    Args:
      roots: what is known of each, by the name of the parameter.
      sizes: the sizes of all dimensions.
    """

    roots: dict[str, Spec]
    sizes: Sizes = field(default_factory=Sizes)

    def copy(self) -> Inputs:
        """The same, to be changed."""
        return Inputs({k: v.copy() for k, v in self.roots.items()}, self.sizes.copy())

    def walk(self) -> Iterator[Spec]:
        """Every value, from the outside inwards."""
        for root in self.roots.values():
            yield from root.walk()

    def paths(self) -> Iterator[tuple[Path, Spec]]:
        """Every value with the way to it."""
        todo: list[tuple[Path, Spec]] = [((("root", n),), s) for n, s in self.roots.items()]
        while todo:
            path, spec = todo.pop()
            yield path, spec
            if spec.kind in STEPS:
                todo += [((*path, (STEPS[spec.kind], k)), c) for k, c in spec.children.items()]

    def arrays(self) -> list[Spec]:
        """The arrays, and what may be one."""
        return [s for s in self.walk() if s.kind in (Kind.ARRAY, Kind.UNKNOWN, Kind.KEY)]

    def unknown(self) -> bool:
        """Whether something is not known yet."""
        return any(spec.kind is Kind.UNKNOWN for spec in self.walk())

    def numbers(self) -> int:
        """How many numbers all arrays have; every other value counts as some."""
        return sum(
            max(_LEAST, math.prod(self.sizes.size(n) for n in spec.dims)) for spec in self.walk()
        )

    def described(self) -> str:
        """They in a few words, the same for equals."""
        return "; ".join(f"{k}={v.described(self.sizes)}" for k, v in self.roots.items())

    def with_dimension(self, dimension: int) -> list[Spec]:
        """The arrays that have a dimension."""
        known = self.sizes.known(dimension)
        return [s for s in self.arrays() if known in map(self.sizes.known, s.dims)]

    def set_rank(self, spec: Spec, rank: int) -> bool:
        """Give an array as many axes; whether that changed anything."""
        if rank < 0 or rank > 6 or len(spec.dims) == rank:
            return False
        if len(spec.dims) > rank:
            spec.dims = spec.dims[len(spec.dims) - rank :]
        else:
            more = tuple(self.sizes.new() for _ in range(rank - len(spec.dims)))
            # The features come last; what is added counts examples.
            spec.dims = (*more, *spec.dims)
        return True

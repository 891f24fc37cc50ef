"""What the analysis knows of the values that functions are called with, as plain data.

It passes from the interpreter to the children of ``jitlint verify``, which make values of it
without importing any of the analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

#: what a sketch may be of: an array; a Python number, flag or text whose value is not known; a
#: value that is; what a dotted name stands for; an object of a class; containers; what ``next``
#: takes something of; something to call; anything
ARRAY: Final = "array"
SCALAR: Final = "scalar"
CONSTANT: Final = "constant"
NAMED: Final = "named"
OBJECT: Final = "object"
MAPPING: Final = "mapping"
LIST: Final = "list"
TUPLE: Final = "tuple"
ITERATOR: Final = "iterator"
CALLABLE: Final = "callable"
ANY: Final = "any"


@dataclass(frozen=True)
class Sketch:
    """What is known of a value.

    Args:
      kind: one of the words above.
      name: of an array its dtype (``bool``, ``int``, ``float``, ``key``), of a scalar its type, of
        an object its class, of what is named its name, both dotted and with the module.
        Empty where it is not known.
      shape: of an array, its lengths as far as they are known; None where not even their number is.
      value: of a constant.
      parts: what it holds, by key, attribute or place.
    """

    kind: str
    name: str = ""
    shape: tuple[int | None, ...] | None = None
    value: str | float | bool | None = None
    parts: tuple[tuple[str | int, Sketch], ...] = ()

    @property
    def tells(self) -> bool:
        """Whether it says more than that the value may be an array."""
        if self.kind == ARRAY:
            return self.shape is not None or bool(self.name)
        return self.kind != ANY

    @property
    def is_exact(self) -> bool:
        """Whether all lengths of an array are known."""
        return self.shape is not None and None not in self.shape

    def to_json(self) -> list[Any]:
        """It as JSON knows it."""
        parts = [[key, part.to_json()] for key, part in self.parts]
        return [self.kind, self.name, self.shape, self.value, parts]

    @classmethod
    def from_json(cls, values: list[Any]) -> Sketch:
        """The inverse of ``to_json``."""
        kind, name, shape, value, parts = values
        read = tuple((key, cls.from_json(part)) for key, part in parts)
        return cls(kind, name, None if shape is None else tuple(shape), value, read)


@dataclass(frozen=True)
class SketchedFunction:
    """What the parameters of a function hold, wherever it runs.

    Args:
      filename: its file.
      qualname: its dotted name there.
      parameters: of each parameter of which something is known, what it may be, each once.
    """

    filename: str
    qualname: str
    parameters: Mapping[str, tuple[Sketch, ...]]

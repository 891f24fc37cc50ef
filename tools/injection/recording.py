"""What JAX was seen to trace: the functions of a package and of the driver that ran it.

A recording is JSON, small enough to be kept: one row a function.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

#: the name of a driver in the project that is linted
DRIVER_FILE = "driver.py"

#: what a parameter held in a call, a letter each; a recording merges those of all calls
ABSTRACT = "t"  # a bare tracer that Python cannot ask for its truth
BARE = "v"  # a bare tracer that it can ask, or that is no number
TREE = "c"  # a pytree with tracers in it
HOLDER = "h"  # an object that is no pytree and holds tracers
NONE = "n"
STATIC = "s"
#: moreover, a receiver that was there before the trace began
OLDER = "o"


@dataclass(frozen=True, slots=True)
class Function:
    """A function that was entered while a trace was current, and was given tracers.

    Args:
      file: relative to the folder that holds the package.
      row: of its first line, decorators included.
      qualname: as Python has it, ``outer.<locals>.inner``.
      distance: how many functions of the package lie between it and the driver, at best; or the
        transform, where that calls it and nothing of the driver is in the trace.
      parameters: for each what it held, in the order of the signature.
      transforms: the kinds of traces it ran in, as JAX names them.
      callers: the functions of the recording, by their number, that were innermost then.
    """

    file: str
    row: int
    qualname: str
    distance: int
    parameters: Mapping[str, str]
    transforms: tuple[str, ...]
    callers: tuple[int, ...]

    @property
    def name(self) -> str:
        """Its own name."""
        return self.qualname.rpartition(".")[2]

    @property
    def in_driver(self) -> bool:
        """Whether the driver defines it."""
        return self.file == DRIVER_FILE

    @property
    def abstract(self) -> tuple[str, ...]:
        """The parameters that were bare tracers without a value."""
        return tuple(name for name, held in self.parameters.items() if ABSTRACT in held)

    @property
    def is_given_tracers(self) -> bool:
        """Whether any parameter held or led to a tracer."""
        return any(kind != "static" for kind in self.kinds.values())

    @property
    def kinds(self) -> dict[str, str]:
        """For each parameter the word that ``jitlint traced`` is to use."""
        return {name: _word(held) for name, held in self.parameters.items()}


def with_tracers(functions: Sequence[Function]) -> tuple[Function, ...]:
    """The functions that were given tracers; what lies between one and another is left out."""
    kept = [number for number, each in enumerate(functions) if each.is_given_tracers]
    numbers = {number: index for index, number in enumerate(kept)}
    return tuple(
        replace(
            functions[number],
            callers=tuple(sorted(numbers[n] for n in nearest_callers(functions, number, numbers))),
        )
        for number in kept
    )


def nearest_callers(
    functions: Sequence[Function], number: int, wanted: Collection[int]
) -> set[int]:
    """The wanted functions that lead to one with no other wanted one in between."""
    found: set[int] = set()
    seen = {number}
    waiting = list(functions[number].callers)
    while waiting:
        caller = waiting.pop()
        if caller in seen:
            continue
        seen.add(caller)
        if caller in wanted:
            found.add(caller)
        else:
            waiting += functions[caller].callers
    return found


def _word(held: str) -> str:
    if ABSTRACT in held or BARE in held:
        return "traced"
    return "container" if TREE in held or HOLDER in held else "static"


@dataclass(frozen=True, slots=True)
class Recording:
    """What was seen of one package.

    Args:
      package: the name that it is installed by.
      version: which release.
      driver: the digest of the driver's text.
      functions: what was traced, in the order in which it first was.
      failures: features of the driver that did not run, with the reason.
    """

    package: str
    version: str
    driver: str
    functions: tuple[Function, ...]
    failures: tuple[str, ...] = ()

    def to_json(self) -> str:
        """The recording as text: one row a function."""
        files = list(dict.fromkeys(function.file for function in self.functions))
        transforms = list(dict.fromkeys(t for f in self.functions for t in f.transforms))
        rows = [
            [
                files.index(function.file),
                function.row,
                function.qualname,
                function.distance,
                dict(function.parameters),
                [transforms.index(name) for name in function.transforms],
                list(function.callers),
            ]
            for function in self.functions
        ]
        head = {
            "package": self.package,
            "version": self.version,
            "driver": self.driver,
            "failures": self.failures,
            "files": files,
            "transforms": transforms,
        }
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        return f'{json.dumps(head)[:-1]}, "functions": [\n{lines}\n]}}\n'


def from_json(text: str) -> Recording:
    """A recording that :meth:`Recording.to_json` wrote."""
    data: dict[str, Any] = json.loads(text)
    files, names = data["files"], data["transforms"]

    def functions() -> Iterator[Function]:
        for file, row, qualname, distance, parameters, transforms, callers in data["functions"]:
            yield Function(
                files[file],
                row,
                qualname,
                distance,
                parameters,
                tuple(names[number] for number in transforms),
                tuple(callers),
            )

    failures = tuple(data["failures"])
    return Recording(data["package"], data["version"], data["driver"], tuple(functions()), failures)


def digest(text: str) -> str:
    """What tells one text of a driver from another."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def read(path: Path) -> Recording:
    """The recording in a file."""
    return from_json(path.read_text(encoding="utf-8"))

"""What a child is asked to show of fixes, as the parent writes it and the child reads it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: what a fixed program is held against
WITHOUT_JIT = "without-jit"
#: the same with NumPy in the place of ``jax.numpy``, whose arrays can be changed
WITH_NUMPY = "with-numpy"
#: the program as it is, which compiles more often
AS_IT_IS = "as-it-is"
#: the program as it is, which measures something else
AS_MEASURED = "as-measured"

#: texts of files, by name
Texts = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Example:
    """A run of a program that comes to a report.

    Args:
      imports: statements that import what the calls name.
      calls: expressions, to be evaluated one after the other; none where importing is all.
    """

    imports: Sequence[str]
    calls: Sequence[str]


@dataclass(frozen=True)
class Trial:
    """One fix to be tried.

    Args:
      number: of the report that it fixes.
      against: what the fixed program is held against, one of the constants above.
      filename: where the report stands.
      rows: the first and the last row of it.
      examples: runs that come to it.
      alone: the files that this fix changes, with their texts when no other fix is made.
      others: the files that the other fixes change, with their texts when only this is not made.
    """

    number: int
    against: str
    filename: str
    rows: tuple[int, int]
    examples: Sequence[Example]
    alone: Texts
    others: Texts

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Trial:
        """The inverse of ``dataclasses.asdict``."""
        first, last = values["rows"]
        read = dict(values)
        read["rows"] = first, last
        read["examples"] = [Example(**example) for example in values["examples"]]
        for kind in ("alone", "others"):
            read[kind] = [(name, text) for name, text in values[kind]]
        return cls(**read)


@dataclass(frozen=True, kw_only=True)
class ProofJob:
    """The fixes of one file, to be tried on one backend.

    Args:
      filename: the file.
      trials: the fixes.
      together: the files that all fixes of the project change, with their texts then.
      left: the files and rows of the reports that are left then.
      paths: the import roots.
      platform: the backend.
      seconds: how long it may take.
      memory_bytes: the resident size that its process may reach.
      cache: a folder for compiled programs.
      root: the project's root.
      folder: the current folder.
      original: the folder of the user that is copied.
      inventory: the file that says what of it is copied.
      copy: the folder that stands for it; empty before it is made.
      own: no report is judged.
    """

    filename: str
    trials: Sequence[Trial]
    together: Texts
    left: Sequence[tuple[str, int, int]]
    paths: Sequence[str]
    platform: str
    seconds: float
    memory_bytes: int
    cache: str
    root: str
    folder: str
    original: str
    inventory: str
    copy: str = ""
    own: frozenset[int] = frozenset()

    def to_json(self) -> dict[str, Any]:
        """The job as a JSON object."""
        return {**dataclasses.asdict(self), "own": []}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> ProofJob:
        """The inverse of ``to_json``."""
        known = {field.name for field in dataclasses.fields(cls)}
        read = {name: value for name, value in values.items() if name in known}
        read["trials"] = [Trial.from_json(trial) for trial in values["trials"]]
        read["together"] = [(name, text) for name, text in values["together"]]
        read["left"] = [(name, first, last) for name, first, last in values["left"]]
        read["own"] = frozenset()
        return cls(**read)

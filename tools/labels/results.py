"""What the cases of a labelled program did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What one case did.

    Args:
      program: the program, as given.
      tag: the label's tag; None for an innocent case or a failure of the whole program.
      innocent: the position among the innocent cases, from 0.
      silent: whether it is a silent case.
      ok: whether it did what was expected.
      expected: the exception classes that may occur.
      observed: the exception class that did occur.
      file: the file of the innermost frame inside the program.
      row: the row of that frame.
      message: the start of the exception's text.
      why: what is wrong, when not ok.
    """

    program: str
    ok: bool
    tag: str | None = None
    innocent: int | None = None
    silent: bool = False
    expected: tuple[str, ...] = ()
    observed: str | None = None
    file: str | None = None
    row: int | None = None
    message: str | None = None
    why: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object, without the fields that say nothing."""
        values: dict[str, Any] = {"program": self.program}
        if self.tag is not None:
            values["tag"] = self.tag
        if self.innocent is not None:
            values["innocent"] = self.innocent
        if self.silent:
            values["silent"] = True
        values["ok"] = self.ok
        if self.expected:
            values["expected"] = list(self.expected)
        for name in ("observed", "file", "row", "message", "why"):
            value = getattr(self, name)
            if value is not None:
                values[name] = value
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> CaseResult:
        """The inverse of ``to_json``."""
        known = {field.name for field in fields(cls)}
        arguments = {name: value for name, value in values.items() if name in known}
        arguments["expected"] = tuple(arguments.get("expected", ()))
        return cls(**arguments)

"""What was tried for reports whose place no call has come to.

Runs in a child process only.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jitlint.verify.driving.drivers import CASES_NAME
from jitlint.verify.driving.oracles.findings import Runs
from jitlint.verify.recording.records import Report

#: how many classes are named of which no object could be made
_MOST_REASONS = 2
_DOTTED = re.compile(r"\w+(?:\.\w+)*$")


@dataclass
class _Tried:
    """What was tried for one report."""

    calls: int = 0
    names: dict[str, None] = field(default_factory=dict)
    nearest: str | None = None
    rows: int = -1
    stub: str | None = None
    refused: dict[str, str] = field(default_factory=dict)


class Attempts:
    """Remembers made-up calls, and how far they came."""

    def __init__(self) -> None:
        self._tried: dict[int, _Tried] = {}

    def note(
        self, report: Report, name: str, function: Callable[..., Any], runs: Runs, *, own: bool
    ) -> None:
        """Take in a call.

        Args:
          report: what it was made for.
          name: what was called.
          function: the same.
          runs: what came of it.
          own: it is one of the module that the report is in, where a call is to be filled in.
        """
        tried = self._tried.setdefault(report.number, _Tried())
        tried.calls += 1
        tried.names[name] = None
        if own and tried.stub is None and _DOTTED.match(name):
            tried.stub = _stub(name, function)
        for run in runs.traced:
            rows = sum(filename == report.filename for filename, _ in run.rows)
            if run.error is not None and rows > tried.rows:
                tried.rows, tried.nearest = rows, run.error

    def lack(self, report: Report, refused: Mapping[str, str]) -> None:
        """Take in that there were no objects to call methods of.

        Args:
          report: what they were wanted for.
          refused: what constructors have raised, by the names of the classes.
        """
        self._tried.setdefault(report.number, _Tried()).refused |= refused

    def told(self, report: Report) -> dict[str, Any]:
        """What was tried for a report, as evidence."""
        tried = self._tried.get(report.number, _Tried())
        stub = tried.stub or _stub(report.function or "", None)
        found: dict[str, Any] = {"tried": tried.calls, "functions": list(tried.names)[:5]}
        if tried.nearest is not None:
            found["nearest"] = tried.nearest
        if stub is not None:
            found["stub"] = f"{CASES_NAME} = [lambda: {stub}]"
        return found

    def summary(self, report: Report) -> str:
        """The same in a sentence."""
        found, missing = self.told(report), "no inputs were found that reach the line"
        if not found["tried"]:
            refused = self._tried.get(report.number, _Tried()).refused
            reasons = [f"making {name} raises {error}" for name, error in refused.items()]
            return "; ".join([f"{missing}, and nothing could be called", *reasons[:_MOST_REASONS]])
        times = "once" if found["tried"] == 1 else f"{found['tried']} times"
        text = f"{missing}: {', '.join(found['functions'])} called {times}"
        return f"{text}; the nearest failure: {found['nearest']}" if "nearest" in found else text


def _stub(name: str, function: Callable[..., Any] | None) -> str | None:
    """A call to be filled in: of a function, of a method, or of what makes a function."""
    head, *rest = name.replace("<lambda>", "").strip(".").split(".")
    if not head.isidentifier():
        return None
    if function is None:
        return f"{head}(...)" + (f".{rest[0]}(...)" if rest and head[:1].isupper() else "")
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        parameters = []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [p.name for p in parameters if p.default is p.empty and p.kind not in variadic]
    owner = f"{head}(...).{'.'.join(rest)}" if rest else head
    return f"{owner}({', '.join(f'{each}=...' for each in needed)})"

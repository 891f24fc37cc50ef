"""What the analysis knows of the functions that JAX traced: ``jitlint traced``, and omissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from jitlint.diagnostics import OmissionReport, TracedFunctionReport
from tools.injection.experiment import Project
from tools.injection.recording import Function, Recording


@dataclass(slots=True)
class Comparison:
    """How what is listed compares with what JAX traced.

    Args:
      listed: functions with a traced parameter that are listed.
      functions: all of these.
      kinds: parameters of listed functions, by what they held and what is said of them.
    """

    listed: int = 0
    functions: int = 0
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __iadd__(self, other: Comparison) -> Comparison:
        self.listed += other.listed
        self.functions += other.functions
        self.kinds += other.kinds
        return self

    @property
    def agreeing(self) -> int:
        """Parameters of which the truth is said."""
        return sum(count for (held, said), count in self.kinds.items() if held == said)

    @property
    def said(self) -> int:
        """Parameters of which anything is said."""
        return sum(count for (_, said), count in self.kinds.items() if said != "unknown")

    def __str__(self) -> str:
        whole = self.functions or 1
        share = self.agreeing / (self.said or 1)
        unknown = sum(self.kinds.values()) - self.said
        return (
            f"listed {self.listed}/{self.functions} {self.listed / whole:.0%},"
            f" kinds {self.agreeing}/{self.said} {share:.0%}, {unknown} unknown"
        )


class Listing:
    """What the analysis says of a project without any faults put into it.

    The tests that a package ships are left out: they call its functions in ways of their own, which
    the driver, of which the recording was made, does not show.

    Args:
      project: the project.
    """

    def __init__(self, project: Project) -> None:
        found = project.analyze(tests=False)
        self._traced: dict[tuple[str, int], TracedFunctionReport] = {}
        for item in found.traced:
            self._traced.setdefault((project.relative(item.filename), item.row), item)
        self._omissions: dict[tuple[str, str], list[OmissionReport]] = {}
        for omission in found.omissions:
            key = project.relative(omission.filename), omission.function
            self._omissions.setdefault(key, []).append(omission)
        self._project = project

    def entry(self, function: Function) -> TracedFunctionReport | None:
        """What is listed of a function."""
        for row in self._project.rows(function):
            found = self._traced.get((function.file, row))
            if found is not None and found.qualname.rpartition(".")[2] == function.name:
                return found
        return None

    def compare(self, recording: Recording) -> Comparison:
        """Compare with what JAX traced."""
        found = Comparison()
        for function in recording.functions:
            kinds = function.kinds
            entry = self.entry(function)
            if "traced" in kinds.values():
                found.functions += 1
                found.listed += entry is not None
            if entry is not None:
                found.kinds.update(
                    (kind, entry.parameters[name])
                    for name, kind in kinds.items()
                    if name in entry.parameters
                )
        return found

    def reason(self, recording: Recording, function: Function, parameter: str) -> str:
        """Why a fault in a function is not reported, as far as the analysis knows it."""
        entry = self.entry(function)
        if entry is not None:
            kind = entry.parameters.get(parameter, "unknown")
            return "traced, yet not reported" if kind == "traced" else f"taken for {kind}"
        # What keeps a function from being reached is to be found in those that call it.
        for caller in _callers(recording, function):
            if self.entry(caller) is None:
                continue
            names = _qualname(caller)
            labels = {item.reason for item in self._omissions.get((caller.file, names), ())}
            if labels:
                return f"not reached: {', '.join(sorted(labels))} in a caller"
            return "not reached from a caller that is"
        return "not reached"


def _callers(recording: Recording, function: Function) -> Iterator[Function]:
    """The functions that led to one, the nearest first."""
    seen: dict[int, None] = dict.fromkeys(function.callers)
    waiting = list(seen)
    while waiting:
        number = waiting.pop(0)
        caller = recording.functions[number]
        yield caller
        for other in caller.callers:
            if other not in seen:
                seen[other] = None
                waiting.append(other)


def _qualname(function: Function) -> str:
    """A qualified name in the words of the analysis."""
    return function.qualname.replace(".<locals>", "")

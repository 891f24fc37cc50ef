"""Verdicts: what running the code says about each report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

CONFIRMED = "confirmed"
REFUTED = "refuted"
NOT_REACHED = "not-reached"
INCONCLUSIVE = "inconclusive"
#: by what something is confirmed: whose call it was
OWN_CALL = "a call of your code"
MADE_UP_CALL = "a made-up call"
MADE_UP_JIT = "a made-up call under a jit of jitlint's own"
#: the strongest first
ORDER = (CONFIRMED, REFUTED, INCONCLUSIVE, NOT_REACHED)


@dataclass(frozen=True)
class Verdict:
    """What one backend says about one report.

    Args:
      backend: ``cpu``, ``gpu`` or ``tpu``.
      verdict: one of ``ORDER``.
      evidence: what was seen; always has ``summary``, one sentence.
      inputs: where the inputs came from, None if the place was never run.
    """

    backend: str
    verdict: str
    evidence: Mapping[str, Any]
    inputs: str | None = None

    @property
    def summary(self) -> str:
        """The evidence in one sentence."""
        return str(self.evidence.get("summary", ""))

    def extended(self, **evidence: Any) -> Verdict:
        """The same verdict with more evidence."""
        return replace(self, evidence={**self.evidence, **evidence})

    def to_json(self) -> dict[str, Any]:
        """The verdict as it stands in the JSON report."""
        return {
            "backend": self.backend,
            "verdict": self.verdict,
            "evidence": dict(self.evidence),
            "inputs": self.inputs,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Verdict:
        """The inverse of ``to_json``."""
        return cls(values["backend"], values["verdict"], values["evidence"], values["inputs"])


def _rank(verdict: Verdict) -> tuple[int, bool]:
    """How much a verdict says, the most first.

    A call of the user's code that refutes says more than one that is made up, with inputs that
    perhaps nobody passes.
    """
    made_up = verdict.verdict == CONFIRMED and verdict.evidence.get("by", OWN_CALL) != OWN_CALL
    return ORDER.index(REFUTED if made_up else verdict.verdict), made_up


def stronger(one: Verdict | None, other: Verdict) -> Verdict:
    """The verdict that says more; the earlier one of equals."""
    if one is None or _rank(other) < _rank(one):
        return other
    # A path without substitutes is the better witness.
    better = one.evidence.get("substituted") and not other.evidence.get("substituted")
    if one.verdict == other.verdict == INCONCLUSIVE:
        # What was seen says more than that nothing was.
        better = "exception" in other.evidence and "exception" not in one.evidence
        return other if better else one
    return other if one.verdict == other.verdict == CONFIRMED and better else one


@dataclass
class Verified:
    """The outcome of a run of ``verify``.

    Args:
      jax: the version of JAX that was used.
      devices: the names of the devices, with their backends.
      reports: each report as ``check`` gives it in JSON, with its ``verdicts``.
      missed: faults on real paths that ``check`` did not predict.
      notes: what is worth knowing of how things were run, one line each.
      functions: how many functions check knows to be traced.
      functions_run: how many of them were run.
      failures: one line for each thing that could not be done.
      not_run: those among them that leave reported code unrun, or not all of it run.
      reused: how many modules were not run, for an earlier run has said it all.
      modules: of each module that was run on a backend, how long that took, by the clock and of
        processors, JAX's own start not counted.
      interrupted: somebody has ended it before its time.
      seconds: how long the run took.
      peak_bytes: the largest resident size of a child.
    """

    jax: str | None = None
    devices: list[str] = field(default_factory=list)
    reports: list[dict[str, Any]] = field(default_factory=list)
    missed: list[dict[str, Any]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    functions: int = 0
    functions_run: int = 0
    reused: int = 0
    modules: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0
    peak_bytes: int = 0

    def to_json(self) -> dict[str, Any]:
        """The object of ``--output-format json``."""
        return {
            "jax": self.jax,
            "devices": self.devices,
            "reports": self.reports,
            "missed": self.missed,
            "failures": self.failures,
            "not_run": self.not_run,
            "notes": self.notes,
            "functions": {"traced": self.functions, "run": self.functions_run},
            "reused": self.reused,
            "modules": self.modules,
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 2),
            "peak_bytes": self.peak_bytes,
        }

    def count(self, verdict: str, backend: str | None = None) -> int:
        """How many reports have a verdict, on any backend or on one."""
        return sum(
            any(v["verdict"] == verdict and backend in (None, v["backend"]) for v in r["verdicts"])
            for r in self.reports
        )


def worst(verdicts: Sequence[Mapping[str, Any]]) -> str:
    """The strongest verdict among those of several backends."""
    return min((str(v["verdict"]) for v in verdicts), key=ORDER.index, default=NOT_REACHED)

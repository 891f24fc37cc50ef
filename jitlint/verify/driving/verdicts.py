"""Verdicts: what running the code says about each report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

CONFIRMED = "confirmed"
REFUTED = "refuted"
NOT_REACHED = "not-reached"
INCONCLUSIVE = "inconclusive"
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


def stronger(one: Verdict | None, other: Verdict) -> Verdict:
    """The verdict that says more; the earlier one of equals."""
    if one is None or ORDER.index(other.verdict) < ORDER.index(one.verdict):
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

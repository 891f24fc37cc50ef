"""The verdicts of a job: what its runs have shown so far."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jitlint.verify.driving.attempts import Attempts
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.oracles import of_rules
from jitlint.verify.driving.oracles.findings import Finding, Runs
from jitlint.verify.driving.reproducers import reproducer
from jitlint.verify.driving.verdicts import (
    CONFIRMED,
    INCONCLUSIVE,
    MADE_UP_JIT,
    NOT_REACHED,
    REFUTED,
    Verdict,
    stronger,
)
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Report, RunRecord

#: sends an object to the parent
Emit = Callable[[dict[str, Any]], None]


#: hazards of what runs while something is traced
_UNDER_A_TRACE = frozenset({"raises", "leaks", "runs-once", "stale"})
# What is missing on any number of devices.
_OF_IMPORTS = tuple(
    f"importing it raises {name}" for name in ("ImportError", "ModuleNotFoundError", "SyntaxError")
)


class Judge:
    """Judges the reports of a job by the runs of its drivers, and tells the parent.

    Args:
      job: what to do.
      recorder: has the places of the reports, and the programs that were made.
      devices: how many devices were made of the CPU.
      lack: what is missing for code that spreads over several devices, if something is.
      emit: sends what is new.

    Attributes:
      own: the reports that the job is about.
      imported: what the import of the module recorded.
    """

    def __init__(
        self, job: Job, recorder: Recorder, devices: int, lack: str | None, emit: Emit
    ) -> None:
        self.own = [report for report in job.reports if report.number in job.own]
        self.imported: RunRecord | None = None
        self._job = job
        self._recorder = recorder
        self._devices = devices
        self._lack = lack
        self._emit = emit
        self._verdicts: dict[int, Verdict] = {}
        #: whether it was under a trace that calls of the user's code have run a reported line
        self._ran: defaultdict[int, set[bool]] = defaultdict(set)
        self._deadline = time.monotonic() + job.seconds

    # -- how far the job is -----------------------------------------------------------------------

    def seconds_left(self) -> float:
        """The seconds until the job's time is up."""
        return self._deadline - time.monotonic()

    def out_of_time(self) -> bool:
        """Whether the job's time is up."""
        return self.seconds_left() < 0

    def unsettled(self, report: Report) -> bool:
        """Whether a report still lacks its confirmation."""
        known = self._verdicts.get(report.number)
        return report.number not in self._job.settled and (
            known is None or known.verdict != CONFIRMED
        )

    def is_settled(self) -> bool:
        """Whether all reports that the job is about have their confirmation."""
        return not any(map(self.unsettled, self.own))

    def is_refuted(self, report: Report) -> bool:
        """Whether a real call has refuted a report."""
        known = self._verdicts.get(report.number)
        return known is not None and known.verdict == REFUTED

    def wants_search(self, report: Report) -> bool:
        """Whether made-up inputs could say more of a report."""
        return self.unsettled(report) and not self.is_refuted(report) and not self.out_of_time()

    def wants_more(self) -> bool:
        """Whether further runs could say more."""
        return not self.out_of_time() and not self.is_settled()

    # -- judging ----------------------------------------------------------------------------------

    def judge(self, reports: Sequence[Report], runs: Runs, *, early: bool = False) -> None:
        """Judge reports by the runs of a driver, and send what is new.

        Args:
          reports: the reports.
          runs: what the driver has done so far.
          early: it is to do more: only what needs no more counts.
        """
        for report in reports:
            found = of_rules.judge(report, runs, self._recorder.places, self.imported)
            self._note_real(report, runs)
            if found.verdict == NOT_REACHED or (early and found.verdict == INCONCLUSIVE):
                continue
            if found.verdict == CONFIRMED and runs.by == MADE_UP_JIT and self._on_host(report):
                summary = f"{found.evidence['summary']}; but that was under a jit of jitlint's "
                summary += "own, and the calls of your code run it without tracing"
                found = Finding(INCONCLUSIVE, {**found.evidence, "summary": summary})
            evidence = dict(found.evidence)
            if found.verdict == CONFIRMED:
                evidence["by"] = runs.by
            if self._devices > 1:
                evidence["virtual_devices"] = self._devices
            program = self._recorder.programs.get(report.number)
            if program is not None:
                evidence["jaxpr"] = program.text
                evidence["jaxpr_substituted"] = program.substituted
            verdict = Verdict(self._job.platform, found.verdict, evidence, runs.name)
            known = self._verdicts.get(report.number)
            best = stronger(known, verdict)
            if best is not known:
                if best.verdict == CONFIRMED:
                    again = reproducer(report, runs, self._job.paths, evidence)
                    best = best if again is None else best.extended(reproducer=again)
                self._verdicts[report.number] = best
                self._emit({"report": report.number, "verdict": best.to_json()})

    def _note_real(self, report: Report, runs: Runs) -> None:
        """Take in whether a call of the user's code runs a reported line under a trace."""
        if not runs.real:
            return
        rows = self._recorder.places.rows(report)
        for run in (*runs.traced, *runs.repeated):
            if self._recorder.places.reached(report, run):
                traced = any(run.traced_rows[report.filename, row] for row in rows)
                self._ran[report.number] |= {traced or run.evaluated_traced[report.number] > 0}

    def _on_host(self, report: Report) -> bool:
        """Whether calls of the user's code run a reported line, and never under a trace."""
        return report.kind in _UNDER_A_TRACE and self._ran[report.number] == {False}

    def conclude(self, reason: str | None, attempts: Attempts) -> None:
        """Send a verdict on each report whose line never ran.

        Args:
          reason: why the module could not be imported, if so.
          attempts: what was tried.
        """
        if self._lack is not None and not (reason or "").startswith(_OF_IMPORTS):
            told = "" if reason is None else f" ({reason})"
            verdict, summary, reason = NOT_REACHED, f"{self._lack}{told}", None
        elif reason is not None:
            verdict, summary = INCONCLUSIVE, reason
        elif self.out_of_time():
            verdict, summary = INCONCLUSIVE, f"not reached within {self._job.seconds:.0f} s"
        else:
            verdict, summary = NOT_REACHED, ""
        left = [
            report
            for report in self.own
            if report.number not in self._verdicts and report.number not in self._job.settled
        ]
        for report in left:
            words = summary or attempts.summary(report)
            evidence = {"summary": words, **attempts.told(report)}
            unknown = Verdict(self._job.platform, verdict, evidence)
            self._emit({"report": report.number, "verdict": unknown.to_json()})
        # Documents show errors on purpose: they count where something is left open.
        failed = reason is not None and (self._job.program is None or self._is_open())
        if self.own and (failed or (left and verdict == INCONCLUSIVE)):
            self._emit({"not_run": summary})
        elif reason is not None and self._job.audit:
            # Nothing is reported there, but what was to be seen was not.
            self._emit({"failure": f"{Path(self._job.filename).name}: {reason}"})

    def _is_open(self) -> bool:
        """Whether a report of the job is neither confirmed nor refuted."""
        return any(self.unsettled(report) and not self.is_refuted(report) for report in self.own)

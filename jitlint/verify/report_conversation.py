"""What the children say of reports, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jitlint.source.document import Document
from jitlint.verify.conversation import Conversation, Progress
from jitlint.verify.driving.auditing import merged
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.verdicts import CONFIRMED, INCONCLUSIVE, Verdict, Verified, stronger
from jitlint.verify.kept_runs import KeptRuns


class ReportConversation(Conversation[Job]):
    """Has reports verified.

    Args:
      result: where what is found goes.
      verdicts: where the verdicts go, by report and backend.
      total: how many jobs there are.
      progress: told of each job that starts.
      documents: the notebooks and the prose among the files that are run, by name.
      hold: whether the system is to hold the jobs to their copies.
      kept: where what the jobs say is kept; None if it is not.
    """

    def __init__(
        self,
        result: Verified,
        verdicts: dict[tuple[int, str], Verdict],
        total: int,
        progress: Progress | None,
        *,
        documents: Mapping[str, Document],
        hold: bool,
        kept: KeptRuns | None = None,
    ) -> None:
        super().__init__(result, total, progress, hold=hold)
        self._verdicts = verdicts
        self._documents = documents
        self._kept = kept
        self._ran: set[tuple[str, int]] = set()

    def take(self, values: Mapping[str, Any], job: Job, state: dict[str, Any]) -> None:
        """Take in what a job says."""
        if "verdict" in values:
            state.setdefault("judged", set()).add(values["report"])
            key = (values["report"], job.platform)
            made = Verdict.from_json(self._located(values["verdict"], job.filename))
            self._verdicts[key] = stronger(self._verdicts.get(key), made)
        elif "missed" in values:
            missed = values["missed"]
            missed = self._located({"evidence": missed}, missed["filename"])["evidence"]
            merged(self.result.missed, missed)
        elif "ran" in values:
            self._ran |= {(filename, row) for filename, row in values["ran"]}
            self.result.functions_run = len(self._ran)
        elif "outside" in values:
            state.setdefault("outside", []).append(
                {"path": values["outside"], "refused": values["refused"]}
            )
        elif "not_run" in values:
            self._not_run(job, values["not_run"])

    def finish(self, job: Job, reason: str, ending: Mapping[str, Any], state: Any) -> None:
        """Say what is known of the reports of a job that has ended."""
        if reason:
            self._not_run(job, reason)
        judged = state.get("judged", ())
        for number in job.own:
            key = (number, job.platform)
            if number not in judged:
                evidence = {"summary": reason or "nothing was said of it"}
                if ending["output"]:
                    evidence["output"] = ending["output"]
                unknown = Verdict(job.platform, INCONCLUSIVE, evidence)
                self._verdicts[key] = stronger(self._verdicts.get(key), unknown)
            if "outside" in state and key in self._verdicts:
                self._verdicts[key] = self._verdicts[key].extended(outside=state["outside"])

    def done(self, job: Job, said: Sequence[Mapping[str, Any]]) -> None:
        """Keep what a job has said."""
        if self._kept is not None:
            confirmed = {
                number
                for number in job.own
                if (known := self._verdicts.get((number, job.platform))) is not None
                and known.verdict == CONFIRMED
            }
            self._kept.keep(job, said, confirmed)

    def _located(self, values: Mapping[str, Any], filename: str) -> dict[str, Any]:
        """A verdict whose evidence names cells and rows as they stand in the file."""
        document = self._documents.get(filename)
        evidence = dict(values["evidence"])
        if document is None:
            return {**values, "evidence": evidence}
        for name in ("location", "end_location"):
            if name in evidence:
                place = evidence[name]
                cell, row, column = document.origin(place["row"], place["column"])
                evidence |= {name: {"row": row, "column": column}, "cell": cell}
        return {**values, "evidence": evidence}

    def _not_run(self, job: Job, reason: str) -> None:
        line = f"{job.filename} ({job.platform}): {reason}"
        self.result.failures.append(line)
        if job.own:
            self.result.not_run.append(line)

"""What the children say, and what follows from it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jitlint.source.document import Document
from jitlint.verify.children import child_environment
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.verdicts import INCONCLUSIVE, Verdict, Verified, stronger

#: shown while it runs: jobs done, jobs in all, the file at hand
Progress = Callable[[int, int, str], None]

_UNHELD = (
    "this system cannot hold what is run to its copy (that takes Landlock, of Linux 5.13): what "
    "Python is asked to change elsewhere is refused, but not what other programs and compiled "
    "code change"
)


class Conversation:
    """What the children have said so far, and what follows from it.

    Args:
      result: where it goes.
      verdicts: where the verdicts go, by report and backend.
      total: how many jobs there are.
      progress: told of each job that starts.
      documents: the notebooks and the prose among the files that are run, by name.
      hold: whether the system is to hold the jobs to their copies.
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
    ) -> None:
        self._result = result
        self._verdicts = verdicts
        self._total = total
        self._progress = progress
        self._documents = documents
        self._hold = hold
        self._done = 0
        self._ran: set[tuple[str, int]] = set()

    def run(self, jobs: Sequence[Job], folder: Path, at_once: int) -> None:
        """Run jobs in children.

        Args:
          jobs: the jobs.
          folder: for temporary files.
          at_once: how many may run at the same time.
        """
        left = list(jobs)
        while left:
            ended, begun, reason = self._serve(left, folder, at_once)
            rest = [job for number, job in enumerate(left) if number not in ended]
            if not rest:
                return
            if not begun:
                # Without JAX, no other job can do better.
                for job in rest:
                    self._finish(job, _ending(f"could not be started: {reason}"), {}, {})
                return
            suspects = [left[number] for number in begun]
            if len(suspects) > 1:
                # One of them has ended the server: each alone, to see which.
                for job in suspects:
                    self.run([job], folder, 1)
            else:
                ended_all = f"has ended the process that started it: {reason}"
                self._finish(suspects[0], _ending(ended_all), {}, {})
            left = [job for job in rest if job not in suspects]

    def _serve(
        self, jobs: Sequence[Job], folder: Path, at_once: int
    ) -> tuple[set[int], list[int], str]:
        """Start a server for some jobs, and take in what it says.

        Returns:
          The jobs that have ended, those that were running when the server ended, and its last
          words.
        """
        listing = folder / "jobs.json"
        written = {"jobs": [job.to_json() for job in jobs], "at_once": at_once, "hold": self._hold}
        listing.write_text(json.dumps(written), encoding="utf-8")
        ended: set[int] = set()
        begun: dict[int, dict[int, Any]] = {}
        states: dict[int, dict[str, Any]] = {}
        fatal = ""
        with (folder / "errors").open("w+", encoding="utf-8", errors="replace") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "jitlint.verify.drive", str(listing)],
                cwd=folder,
                env=child_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                # What a job does to the group of a process above it must not end this one.
                start_new_session=True,
            )
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    values = json.loads(line)
                    if "begin" in values:
                        number = values["begin"]
                        begun[number], states[number] = {}, {}
                        if self._progress is not None:
                            self._progress(self._done, self._total, jobs[number].filename)
                    elif "end" in values:
                        number = values["end"]
                        self._finish(jobs[number], values, begun.pop(number), states.pop(number))
                        ended.add(number)
                    elif "held" in values:
                        self._note_whether(values["held"])
                    elif "fatal" in values:
                        fatal = values["fatal"]
                        self._result.failures.append(fatal)
                    else:
                        number = values["of"]
                        self._take(values, jobs[number], begun[number], states[number])
            finally:
                # It ends the jobs that run before it ends itself.
                process.terminate()
                try:
                    process.wait(timeout=10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                process.stdout.close()
            errors.seek(0)
            tail = errors.read()[-400:].strip().splitlines()
        return ended, list(begun), fatal or (tail or ["?"])[-1]

    def _take(
        self,
        values: Mapping[str, Any],
        job: Job,
        found: dict[int, Any],
        state: dict[str, Any],
    ) -> None:
        if "verdict" in values:
            found[values["report"]] = values["verdict"]
            key = (values["report"], job.platform)
            made = Verdict.from_json(self._located(values["verdict"], job.filename))
            self._verdicts[key] = stronger(self._verdicts.get(key), made)
        elif "missed" in values:
            missed = values["missed"]
            missed |= self._located({"evidence": missed}, missed["filename"])["evidence"]
            if missed not in self._result.missed:
                self._result.missed.append(missed)
        elif "ran" in values:
            self._ran |= {(filename, row) for filename, row in values["ran"]}
            self._result.functions_run = len(self._ran)
        elif "outside" in values:
            state.setdefault("outside", []).append(
                {"path": values["outside"], "refused": values["refused"]}
            )
        elif "start" in values:
            state["at"] = values["start"]
        elif "not_run" in values:
            self._not_run(job, values["not_run"])
        elif "failure" in values:
            self._result.failures.append(values["failure"])
        elif "jax" in values:
            self._result.jax = values["jax"]
            for device in values["devices"]:
                if device not in self._result.devices:
                    self._result.devices.append(device)

    def _finish(
        self,
        job: Job,
        ending: Mapping[str, Any],
        found: Mapping[int, Any],
        state: Mapping[str, Any],
    ) -> None:
        self._done += 1
        self._result.peak_bytes = max(self._result.peak_bytes, ending["peak_bytes"])
        reason = ""
        if not ending["done"]:
            reason = f"the process {ending['ended']}"
            if state.get("at"):
                reason += f" in {state['at']}"
            self._not_run(job, reason)
        for number in job.own:
            key = (number, job.platform)
            if number not in found:
                evidence = {"summary": reason or "nothing was said of it"}
                if ending["output"]:
                    evidence["output"] = ending["output"]
                unknown = Verdict(job.platform, INCONCLUSIVE, evidence)
                self._verdicts[key] = stronger(self._verdicts.get(key), unknown)
            if "outside" in state and key in self._verdicts:
                self._verdicts[key] = self._verdicts[key].extended(outside=state["outside"])

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

    def _note_whether(self, held: bool) -> None:
        if not held and _UNHELD not in self._result.notes:
            self._result.notes.append(_UNHELD)

    def _not_run(self, job: Job, reason: str) -> None:
        line = f"{job.filename} ({job.platform}): {reason}"
        self._result.failures.append(line)
        if job.own:
            self._result.not_run.append(line)


def _ending(words: str) -> dict[str, Any]:
    return {"done": False, "ended": words, "peak_bytes": 0, "output": ""}

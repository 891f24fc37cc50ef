"""Jobs for children, and what they say."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from jitlint.verify.driving.verdicts import Verified
from jitlint.verify.server_process import ServerProcess

#: shown while it runs: jobs done, jobs in all, the file at hand, and what is tried of it
Progress = Callable[[int, int, str, str], None]

_UNHELD = (
    "this system cannot hold what is run to its copy (that takes Landlock, of Linux 5.13): what "
    "Python is asked to change elsewhere is refused, but not what other programs and compiled "
    "code change"
)


class AnyJob(Protocol):
    """What a job says of itself to whoever has it done."""

    @property
    def filename(self) -> str:
        """The file that it is about."""
        ...

    @property
    def platform(self) -> str:
        """The backend."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The job as a JSON object."""
        ...


JobT = TypeVar("JobT", bound=AnyJob)


class Conversation(ABC, Generic[JobT]):
    """Has jobs done by children, and takes in what they say.

    Args:
      result: where it goes.
      total: how many jobs there are.
      progress: told of each job that starts.
      hold: whether the system is to hold the jobs to their copies.
    """

    def __init__(
        self, result: Verified, total: int, progress: Progress | None, *, hold: bool
    ) -> None:
        self.result = result
        self._total = total
        self._progress = progress
        self._hold = hold
        self._done = 0

    @abstractmethod
    def take(self, values: Mapping[str, Any], job: JobT, state: dict[str, Any]) -> None:
        """Take in what a job says.

        Args:
          values: what it says, but for how it begins and ends.
          job: the job.
          state: what is to be kept of it until it ends.
        """

    @abstractmethod
    def finish(self, job: JobT, reason: str, ending: Mapping[str, Any], state: Any) -> None:
        """A job has ended.

        Args:
          job: the job.
          reason: why it did not come to its end; empty if it did.
          ending: how it ended.
          state: what was kept of it.
        """

    def done(self, job: JobT, said: Sequence[Mapping[str, Any]]) -> None:
        """A job has come to its end; told after :meth:`finish`.

        Args:
          job: the job.
          said: all that it has said.
        """

    def run(
        self,
        jobs: Sequence[JobT],
        folder: Path,
        at_once: int,
        server: ServerProcess | None = None,
    ) -> None:
        """Run jobs in children.

        Args:
          jobs: the jobs.
          folder: for temporary files.
          at_once: how many may run at the same time.
          server: does them if it lives, and is ended; None to start one.
        """
        left = list(jobs)
        while left:
            ended, begun, reason = self._serve(left, folder, at_once, server)
            server = None
            rest = [job for number, job in enumerate(left) if number not in ended]
            if not rest:
                return
            if not begun:
                # Without JAX, no other job can do better.
                for job in rest:
                    self._finish(job, _ending(f"could not be started: {reason}"), {})
                return
            suspects = [left[number] for number in begun]
            if len(suspects) > 1:
                # One of them has ended the server: each alone, to see which.
                for job in suspects:
                    self.run([job], folder, 1)
            else:
                ended_all = f"has ended the process that started it: {reason}"
                self._finish(suspects[0], _ending(ended_all), {})
            left = [job for job in rest if job not in suspects]

    def _serve(
        self, jobs: Sequence[JobT], folder: Path, at_once: int, server: ServerProcess | None
    ) -> tuple[set[int], list[int], str]:
        """Have a server do some jobs, and take in what it says.

        Returns:
          The jobs that have ended, those that were running when the server ended, and its last
          words.
        """
        listing = folder / "jobs.json"
        written = {"jobs": [job.to_json() for job in jobs], "at_once": at_once, "hold": self._hold}
        listing.write_text(json.dumps(written), encoding="utf-8")
        ended: set[int] = set()
        begun: dict[int, dict[str, Any]] = {}
        fatal = ""
        server = server or ServerProcess(folder)
        try:
            for values in server.serve(listing):
                if "begin" in values:
                    begun[values["begin"]] = {}
                    self._show(jobs[values["begin"]], "")
                elif "end" in values:
                    number = values["end"]
                    self._finish(jobs[number], values, begun.pop(number))
                    ended.add(number)
                elif "held" in values:
                    self._note_whether(values["held"])
                elif "fatal" in values:
                    fatal = values["fatal"]
                    self.result.failures.append(fatal)
                elif "tries" in values:
                    self._show(jobs[values["of"]], values["tries"])
                else:
                    self._hear(values, jobs, begun)
        except KeyboardInterrupt:
            # What the jobs at hand have found is known by now.
            for values in server.interrupt():
                if "of" in values and "tries" not in values:
                    self._hear(values, jobs, begun)
            for number, job in enumerate(jobs):
                if number not in ended:
                    words = _ended_by_hand(at_hand=number in begun)
                    self._finish(job, _ending(words), begun.get(number, {}))
            self.result.interrupted = True
            raise
        finally:
            last = server.end()
        return ended, list(begun), fatal or last

    def _hear(
        self, values: Mapping[str, Any], jobs: Sequence[JobT], begun: dict[int, dict[str, Any]]
    ) -> None:
        """Take in what a job says that runs."""
        number = values["of"]
        begun[number].setdefault("said", []).append(values)
        self._take(values, jobs[number], begun[number])

    def _show(self, job: JobT, doing: str) -> None:
        """Tell what is being done."""
        if self._progress is not None:
            self._progress(self._done, self._total, job.filename, doing)

    def hear_again(self, job: JobT, said: Iterable[Mapping[str, Any]]) -> None:
        """Take in what a job has said in an earlier run.

        Args:
          job: the job, which is not run.
          said: what it said from its beginning to its end.
        """
        state: dict[str, Any] = {}
        for values in said:
            self._take(values, job, state)
        self._done += 1
        self.finish(job, "", _ending(""), state)

    def _take(self, values: Mapping[str, Any], job: JobT, state: dict[str, Any]) -> None:
        if "start" in values:
            state["at"] = values["start"]
        elif "failure" in values:
            self.result.failures.append(values["failure"])
        elif "jax" in values:
            self.result.jax = values["jax"]
            for device in values["devices"]:
                if device not in self.result.devices:
                    self.result.devices.append(device)
        else:
            self.take(values, job, state)

    def _finish(self, job: JobT, ending: Mapping[str, Any], state: dict[str, Any]) -> None:
        self._done += 1
        self.result.peak_bytes = max(self.result.peak_bytes, ending["peak_bytes"])
        if "seconds" in ending:
            spent = {name: ending[name] for name in ("seconds", "cpu_seconds")}
            module = {"filename": job.filename, "backend": job.platform, **spent}
            self.result.modules.append(module)
        reason = ""
        if not ending["done"]:
            reason = f"the process {ending['ended']}"
            if state.get("at"):
                reason += f" in {state['at']}"
        self.finish(job, reason, ending, state)
        if ending["done"]:
            self.done(job, state.get("said", ()))

    def _note_whether(self, held: bool) -> None:
        if not held and _UNHELD not in self.result.notes:
            self.result.notes.append(_UNHELD)


def _ended_by_hand(*, at_hand: bool) -> str:
    return "was ended by an interrupt" if at_hand else "was not started: interrupted"


def _ending(words: str) -> dict[str, Any]:
    return {"done": False, "ended": words, "peak_bytes": 0, "output": ""}

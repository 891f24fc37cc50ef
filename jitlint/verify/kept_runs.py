"""What jobs have said in earlier runs, heard again while nothing that they ran has changed.

What a job says depends on the Python that it ran, the data that lies beside it, the reports that it
is about, and what is installed.  Of an editable package elsewhere only the version is known.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import msgspec

from jitlint.cache.folder import CacheFolder
from jitlint.diagnostics import Diagnostic
from jitlint.foundation.digests import blake2b
from jitlint.verify.containment.inventory import Inventory
from jitlint.verify.driving.calling.sources import users_of
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.verdicts import CONFIRMED, INCONCLUSIVE

_KIND = "verdicts"
#: settings that decide what JAX does, and which JAX that is
_VARIABLES = ("JAX_", "XLA_", "CUDA_", "TPU_", "PYTHONPATH")

#: names a report from run to run: its file, rule and what it stands for
_Name = tuple[str, str, str]


class KeptRuns:
    """The jobs of a run, as earlier runs have seen them.

    Args:
      folder: where what they say is kept.
      reports: those of all projects, as the jobs count them.
    """

    def __init__(self, folder: CacheFolder, reports: Sequence[Diagnostic]) -> None:
        self._folder = folder
        self._names: list[_Name] = [report.lasting_key for report in reports]
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._projects: dict[str, _Project] = {}

    def find_all(self, jobs: Sequence[Job]) -> dict[int, list[dict[str, Any]]]:
        """What jobs would say, by their places in the list; the others have to be asked.

        A report that another job has confirmed is none that a job has to speak of; but then that
        one has to be among these.
        """
        found = {
            place: said for place, job in enumerate(jobs) if (said := self._find(job)) is not None
        }
        while True:
            judged = {
                (values["report"], jobs[place].platform)
                for place, said in found.items()
                for values in said
                if "verdict" in values
            }
            silent = [
                place
                for place in found
                if any((number, jobs[place].platform) not in judged for number in jobs[place].own)
            ]
            if not silent:
                break
            for place in silent:
                del found[place]
        confirmed = {
            (values["report"], jobs[place].platform)
            for place, said in found.items()
            for values in said
            if "verdict" in values and values["verdict"]["verdict"] == CONFIRMED
        }
        # As where jobs are run: there is no need of one whose reports others have confirmed.
        idle = [
            place
            for place, job in enumerate(jobs)
            if job.own and all((number, job.platform) in confirmed for number in job.own)
        ]
        return {**{place: [] for place in idle}, **found}

    def _find(self, job: Job) -> list[dict[str, Any]] | None:
        if job.audit:
            return None
        data = self._folder.read(_KIND, self._key(job))
        try:
            record = None if data is None else msgspec.msgpack.decode(data)
            if record is None or not self._same(job, record):
                return None
            return [*self._told(record["said"])]
        except (msgspec.DecodeError, KeyError, TypeError, ValueError, RecursionError):
            return None

    def keep(self, job: Job, said: Sequence[Mapping[str, Any]], confirmed: Set[int]) -> None:
        """Keep what a job has said, if it was all that it could say.

        Args:
          job: a job that has come to its end.
          said: all of it, in order.
          confirmed: the reports that have been confirmed so far, by whichever job.
        """
        rests = next((values for values in said if "depends" in values), None)
        judged = {values["report"] for values in said if "verdict" in values}
        unsure = any(
            "not_run" in values or values.get("verdict", {}).get("verdict") == INCONCLUSIVE
            for values in said
        )
        if job.audit or rests is None or unsure or not job.own <= judged | confirmed:
            return
        project = self._project(job)
        record = {
            "data": project.data,
            "python": project.python,
            "depends": {name: _digest(name) for name in rests["depends"]},
            "users": rests["users"],
            "said": [*self._named(said)],
        }
        self._folder.write(_KIND, self._key(job), msgspec.msgpack.encode(record))

    def _key(self, job: Job) -> str:
        own = [
            (self._names[report.number], report.span, report.kind, report.function, report.chain)
            for report in job.reports
            if report.number in job.own
        ]
        shape = (
            *(job.filename, job.name, job.platform, job.root, job.folder, list(job.paths)),
            *(job.seconds, job.memory_bytes, list(job.cases), job.programs, job.program),
            *(list(job.cells), job.recorded, sorted(own), sorted(job.statics.items())),
            list(job.sketches),
            [each for each in job.everything if each[0] == job.filename],
        )
        text = json.dumps([shape, _environment()], sort_keys=True)
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def _same(self, job: Job, record: Mapping[str, Any]) -> bool:
        project = self._project(job)
        if record["data"] != project.data:
            return False
        if any(_digest(name) != digest for name, digest in record["depends"].items()):
            return False
        # Another file may have begun to import the module, and so to call it.
        same: bool = record["python"] == project.python or record["users"] == users_of(
            job.filename, sorted({*job.files, job.filename}), job.paths
        )
        return same

    def _project(self, job: Job) -> _Project:
        return self._projects.setdefault(job.inventory, _Project(job))

    def _named(self, said: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """What was said, with reports by their names."""
        for values in said:
            if "verdict" in values:
                yield {**values, "report": self._names[values["report"]]}
            else:
                yield dict(values)

    def _told(self, said: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """The inverse; without what is not reported any more."""
        for values in said:
            if "verdict" not in values:
                yield dict(values)
                continue
            filename, code, fingerprint = values["report"]
            number = self._numbers.get((filename, code, fingerprint))
            if number is not None:
                yield {**values, "report": number}


class _Project:
    """What all jobs of a project may depend on.

    Args:
      job: one of them.
    """

    def __init__(self, job: Job) -> None:
        self._inventory = Path(job.inventory)

    @cached_property
    def _listed(self) -> Inventory:
        return Inventory.read(self._inventory)

    @cached_property
    def data(self) -> str:
        """A name for the files that are no Python, by their sizes and times."""
        found = blake2b(digest_size=16)
        listed = self._listed
        for name in listed.files:
            if not name.endswith(".py"):
                found.update(_stamp(listed.absolute(name)))
        found.update(json.dumps([listed.links, listed.left_out]).encode())
        return found.hexdigest()

    @cached_property
    def python(self) -> str:
        """A name for all files of Python, by their sizes and times."""
        found = blake2b(digest_size=16)
        for name in self._listed.files:
            if name.endswith(".py"):
                found.update(_stamp(self._listed.absolute(name)))
        return found.hexdigest()


def _stamp(path: str) -> bytes:
    try:
        status = os.stat(path)  # noqa: PTH116 - thousands of them
    except OSError:
        return path.encode("utf-8", "surrogatepass")
    return f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode("utf-8", "surrogatepass")


def _digest(path: str) -> str:
    """A name for what a file holds; empty where it cannot be read."""
    try:
        return blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


@cache
def _environment() -> list[str]:
    """What is installed, and what JAX is told by its surroundings."""
    installed = {f"{found.name} {found.version}" for found in distributions()}
    settings = [f"{key}={value}" for key, value in os.environ.items() if key.startswith(_VARIABLES)]
    return [sys.version, sys.executable, *sorted(installed), *sorted(settings)]

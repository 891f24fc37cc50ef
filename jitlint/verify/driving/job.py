"""What a child is asked to do, as the parent writes it and the child reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from jitlint.verify.recording.records import Report


@dataclass(frozen=True, kw_only=True)
class Job:
    """One module to verify on one backend.

    Args:
      filename: the module's file.
      name: its dotted name.
      paths: the import roots.
      files: the project's files, which are run with markers.
      reports: what ``check`` said of the whole project, numbered.
      own: the numbers of those that the job is about; others are judged where they are met.
      everything: the files and rows of all reports, mild ones too; nothing there was missed.
      traced: the files and rows of the functions that check knows to be traced.
      statics: of each traced function, by qualified name, its static parameters.
      sketches: what the parameters of functions hold as far as check knows: a function's file, its
        qualified name, and for each parameter what it may be, as ``Sketch.to_json`` has it.
      platform: the backend.
      seconds: how long it may take.
      search_seconds: how long inputs may be made up for one report.
      memory_bytes: the resident size that its process may reach.
      cases: files with example calls.
      cache: a folder for compiled programs.
      programs: send the jaxprs along.
      audit: also what can add nothing to a verdict is run, to see what was missed.
      jobs: the modules that are run.
      root: the project's root.
      folder: the current folder.
      program: the Python of a notebook or of prose, which is run in order; None for a module.
      cells: for each row of it, the cell that it is of, or 0.
      original: the folder of the user that is copied.
      inventory: the file that says what of it is copied.
      copy: the folder that stands for it, which all other paths lie in; empty before it is made.
      recorded: tests to run, and nothing else, by file and inner name; None runs all there is.
      settled: the reports that other jobs have confirmed on this backend.
    """

    filename: str
    name: str
    paths: Sequence[str]
    files: Sequence[str]
    reports: Sequence[Report]
    own: frozenset[int]
    everything: Sequence[tuple[str, int, int]]
    traced: Sequence[tuple[str, int]]
    statics: Mapping[str, Sequence[str]]
    sketches: Sequence[tuple[str, str, Mapping[str, Sequence[Any]]]]
    platform: str
    seconds: float
    search_seconds: float
    memory_bytes: int
    cases: Sequence[str]
    cache: str
    programs: bool
    audit: bool
    jobs: frozenset[str]
    root: str
    folder: str
    program: str | None
    cells: Sequence[int]
    original: str
    inventory: str
    copy: str = ""
    recorded: Sequence[tuple[str, str]] | None = None
    settled: frozenset[int] = frozenset()

    def to_json(self) -> dict[str, Any]:
        """The job as a JSON object."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("own", "jobs", "settled"):
            values[name] = sorted(values[name])
        values["reports"] = [
            {field.name: getattr(report, field.name) for field in fields(Report)}
            for report in self.reports
        ]
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Job:
        """The inverse of ``to_json``."""
        read = dict(values)
        for name in ("own", "jobs", "settled"):
            read[name] = frozenset(values[name])
        read["reports"] = [Report.from_json(report) for report in values["reports"]]
        return cls(**read)

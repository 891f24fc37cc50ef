"""Processes and the CPU time that they take."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: gives seconds of CPU
Measure = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process has used.

    Args:
      seconds: of CPU, in user mode and the system's, its children's included.
      megabytes: the most memory that it held.
      out: what it wrote.
    """

    seconds: float
    megabytes: float
    out: str


def usage(
    command: Sequence[str], *, cwd: Path, stdin: str = "", linter: Path | None = None
) -> Usage:
    """Run a process.

    Args:
      command: what to run; an exit code of 1 means that it found something.
      cwd: its current folder.
      stdin: what it reads.
      linter: the source of the jitlint that it imports; None where it imports none.

    Returns:
      What it has used.

    Raises:
      RuntimeError: it failed.
    """
    # Installed packages have their bytecode; so shall jitlint, from the first round on.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    if linter is not None:
        environment["PYTHONPATH"] = str(linter)
    with (
        tempfile.TemporaryFile("w+") as given,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(
            command, cwd=cwd, stdin=given, stdout=out, stderr=err, env=environment
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        said = err.read()[-2000:]
        if process.returncode not in (0, 1) or "Traceback" in said:
            raise RuntimeError(f"{command} exited with {process.returncode}: {said}")
        return Usage(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read())


@dataclass(frozen=True, slots=True)
class Linter:
    """A version of jitlint.

    Args:
      tree: its source.
    """

    tree: Path = ROOT

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return self.tree.name

    def check(self, cwd: Path, *arguments: str, cache: Path | None = None) -> Usage:
        """Run ``jitlint check``, by one process.

        Args:
          cwd: the current folder.
          arguments: more of them.
          cache: where results are kept; None to do without.
        """
        kept = ["--no-cache"] if cache is None else ["--cache-dir", str(cache)]
        quiet = ["--quiet", "--output-format", "concise", "--jobs", "1"]
        return self.run(cwd, "check", *quiet, *kept, *arguments)

    def run(self, cwd: Path, *arguments: str) -> Usage:
        """Run jitlint.

        Args:
          cwd: the current folder.
          arguments: the command and its arguments.
        """
        # Not from the current folder: that of flax has a `typing`.
        command = [sys.executable, "-P", "-m", "jitlint", *arguments]
        return usage(command, cwd=cwd, linter=self.tree)


@dataclass
class Table:
    """Rows of what was measured, by version.

    Args:
      linters: the versions, in the order of their columns.
      enforced: the version that has to hold the bars.
    """

    linters: Sequence[Linter]
    rows: list[tuple[str, float, Mapping[str, float]]] = field(default_factory=list)

    def add(self, what: str, bar: float, found: Mapping[str, float]) -> None:
        """Put in a row, and print it.

        Args:
          what: was measured.
          bar: the most that it may be.
          found: what it is, by the names of versions.
        """
        self.rows.append((what, bar, found))
        said = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        print(f"{what}: {said} (bar {bar})", flush=True)

    def held(self) -> bool:
        """Whether the last version holds every bar."""
        name = self.linters[-1].name
        return all(found[name] <= bar for _, bar, found in self.rows if name in found)

    def show(self) -> None:
        """Print all rows."""
        names = [linter.name for linter in self.linters]
        print(f"| what | bar | {' | '.join(names)} |")
        print(f"|---|---|{'---|' * len(names)}")
        for what, bar, found in self.rows:
            values = [f"{found[name]:.3f}" if name in found else "" for name in names]
            if names[-1] in found and found[names[-1]] > bar:
                values[-1] = f"**{values[-1]}**"
            print(f"| {what} | {bar} | {' | '.join(values)} |")


def in_turn(contestants: Mapping[str, Measure], rounds: int) -> dict[str, list[float]]:
    """Measure several things in turn, so that what else the machine does hits all alike.

    Args:
      contestants: what to measure, by name.
      rounds: how often each is run.

    Returns:
      Seconds of CPU of each, round by round.
    """
    for measure in contestants.values():
        measure()  # Fills the caches of the operating system and of compiled bytecode.
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, measure in contestants.items():
            times[name].append(measure())
    for name, seconds in times.items():
        print(f"  {name:<30} {statistics.median(seconds):7.3f} s", flush=True)
    return times


def median_ratio(ours: Sequence[float], others: Sequence[float]) -> float:
    """The median of the ratios of two things that were measured in turn."""
    return statistics.median(mine / other for mine, other in zip(ours, others, strict=True))

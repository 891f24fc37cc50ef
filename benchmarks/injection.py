"""Recall on real packages: faults put where JAX was seen to trace, and how many are reported.

::

    python benchmarks/injection.py [PACKAGE ...] [--hazard NAME ...] [--alone N] [--misses FILE]
    python benchmarks/injection.py [PACKAGE ...] --record [--path FOLDER ...]

Each PACKAGE (by default all that are installed in the release that was recorded) is linted with a
driver of ours, with a hazard at the start of every function that JAX entered with a bare tracer:
``if p.sum() > 0: pass``, unless other ones are named.  Where nothing is reported in that line it
is a miss; FILE lists them, with the reason as far as the analysis knows it.  Of N functions of each
package it is tried whether a fault by itself comes out as it does with the others.  Also shown is
how many of the functions that JAX traced ``jitlint traced`` lists, and whether the kinds of their
parameters agree.

The recordings are kept; ``--record`` makes them anew, which starts JAX.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(_ROOT))

from tools.injection.experiment import (  # noqa: E402
    DISTANCES,
    Injection,
    Project,
    agreement,
    distance,
    inject,
    project,
)
from tools.injection.hazards import HAZARDS  # noqa: E402
from tools.injection.listing import Comparison, Listing  # noqa: E402
from tools.injection.packages import PACKAGES, Package  # noqa: E402
from tools.injection.recording import Recording, digest, read  # noqa: E402


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one injection, with all that it is told apart by."""

    package: str
    file: str
    row: int
    function: str
    parameter: str
    hazard: str
    distance: str
    found: bool
    reason: str


def record(package: Package, paths: Sequence[str]) -> bool:
    """Run a package's driver and keep what JAX traced; whether all of it ran."""
    package.recording.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "tools.injection.recorder", package.name, package.module]
    command += [str(package.driver), str(package.recording)]
    for path in paths:
        command += ["--path", path]
    return subprocess.run(command, cwd=_ROOT, check=False).returncode == 0


def usable(package: Package) -> Recording | str:
    """The recording of a package, or why there is none that fits what is here."""
    if package.folder() is None:
        return "not installed"
    if not package.recording.exists():
        return "not recorded"
    recording = read(package.recording)
    if recording.version != package.version():
        return f"recorded in {recording.version}, installed in {package.version()}"
    if recording.driver != digest(package.driver.read_text(encoding="utf-8")):
        return "its driver is another one since it was recorded"
    return recording


def measure(
    package: Package, recording: Recording, hazards: Iterable[str], alone: int
) -> tuple[list[Result], Comparison]:
    """Inject faults into one package."""
    folder = package.folder()
    assert folder is not None
    results = []
    with project(folder, package.driver) as tree:
        listing = Listing(tree)
        for hazard in hazards:
            injections = inject(tree, recording, HAZARDS[hazard])
            if alone and injections:
                _try_alone(tree, recording, injections, alone)
            for injection in injections:
                function = recording.functions[injection.number]
                reason = ""
                if not injection.found:
                    reason = listing.reason(recording, function, injection.parameter)
                results.append(
                    Result(
                        package.name,
                        function.file,
                        function.row,
                        function.qualname,
                        injection.parameter,
                        hazard,
                        distance(function),
                        injection.found,
                        reason,
                    )
                )
        return results, listing.compare(recording)


def _try_alone(
    tree: Project, recording: Recording, injections: Sequence[Injection], count: int
) -> None:
    """Inject some by themselves, and print whether that makes a difference."""
    chosen = random.Random(0).sample(injections, min(count, len(injections)))
    only = {injection.number for injection in chosen}
    hazard = HAZARDS[chosen[0].hazard]
    same, whole = agreement(injections, inject(tree, recording, hazard, only=only, alone=True))
    print(f"  {hazard.name}: {same} of {whole} come out the same by themselves")


def shares(results: Sequence[Result]) -> str:
    """How many are found, by distance and together."""
    parts = []
    for name in (*DISTANCES, "all"):
        some = [result for result in results if name in (result.distance, "all")]
        found = sum(result.found for result in some)
        share = f"{found / len(some):.0%}" if some else "-"
        parts.append(f"{name} {found}/{len(some)} {share}")
    return ", ".join(parts)


def summary(results: Sequence[Result], comparison: Comparison) -> None:
    """Print the figures of all packages together."""
    for tuned in (True, False):
        some = [result for result in results if PACKAGES[result.package].tuned is tuned]
        if not some:
            continue
        print("\nall packages" if tuned else "\npackages chosen after tuning")
        for hazard in dict.fromkeys(result.hazard for result in some):
            print(f"  {hazard}: {shares([result for result in some if result.hazard == hazard])}")
    print(f"  {comparison}")
    for (held, said), count in sorted(comparison.kinds.items()):
        if held != said:
            print(f"    {count:5} {held}, said to be {said}")
    reasons = Counter(result.reason for result in results if not result.found)
    print(f"\n{sum(reasons.values())} misses")
    for reason, count in reasons.most_common():
        print(f"  {count:5} {reason}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Record or measure; 1 when a driver failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", choices=[*PACKAGES, []])
    parser.add_argument("--hazard", nargs="+", choices=list(HAZARDS), default=["branch"])
    parser.add_argument("--alone", type=int, default=0, metavar="N")
    parser.add_argument("--misses", type=Path, metavar="FILE")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--path", action="append", default=[], help="a folder with packages")
    chosen = parser.parse_args(arguments)
    sys.path += chosen.path
    packages = [PACKAGES[name] for name in chosen.packages or PACKAGES]
    if chosen.record:
        done = [record(package, chosen.path) for package in packages]
        return 0 if all(done) else 1
    results: list[Result] = []
    comparison = Comparison()
    for package in packages:
        recording = usable(package)
        if isinstance(recording, str):
            print(f"{package.name}: left out: {recording}")
            continue
        started = time.process_time()
        some, listed = measure(package, recording, chosen.hazard, chosen.alone)
        results += some
        comparison += listed
        print(f"{package.name}: {shares(some)} ({time.process_time() - started:.0f} s)")
        print(f"  {listed}", flush=True)
    summary(results, comparison)
    if chosen.misses is not None:
        misses = [asdict(result) for result in results if not result.found]
        chosen.misses.write_text(json.dumps(misses, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

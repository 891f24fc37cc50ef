"""What the shortcuts of the analysis cost: the reports with them against the reports without.

::

    python benchmarks/recall.py [TREE ...] [--limit SECONDS] [--budget-scale 10 ...]

Every TREE (by default the installed flax, optax, equinox, chex and haiku, and each of the test
programs) is linted three times, each in a process of its own: as shipped; with every function as a
starting point instead of the selected ones; and with every budget of the interpreter ten times as
large, or scaled by each of the factors that are given: ``--budget-scale 0.5 0.1`` shows what
smaller ones would save, and lose.  Reports that appear or vanish are listed.  The exit code is 1
when there are any.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions

PACKAGES = ("flax", "optax", "equinox", "chex", "haiku")
PROGRAMS = Path(__file__).resolve().parent.parent / "tests" / "programs"
_STACK_BYTES = 512 * 1024 * 1024
_FRAMES = 10_000


@dataclass(frozen=True, slots=True, order=True)
class Report:
    """A report, as it is compared."""

    filename: str
    row: int
    column: int
    code: str
    severity: str

    def __str__(self) -> str:
        return f"{self.filename}:{self.row}:{self.column}: {self.code} {self.severity}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One analysis.

    Args:
      reports: what it found; None where it did not end in time.
      seconds: CPU time.
    """

    reports: tuple[Report, ...] | None
    seconds: float


def default_trees() -> list[Path]:
    """The installed packages, and the test programs one by one."""
    trees = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            sys.stderr.write(f"{name} is not installed: left out\n")
            continue
        trees.append(Path(next(iter(spec.submodule_search_locations))))
    return [*trees, PROGRAMS]


def expand(trees: Iterable[Path]) -> list[Path]:
    """The folder of the test programs stands for its programs: each is a project."""
    found: list[Path] = []
    for tree in trees:
        if tree.resolve() == PROGRAMS:
            found += [path for path in sorted(PROGRAMS.iterdir()) if any(path.rglob("*.py"))]
        else:
            found.append(tree.resolve())
    return found


def lint(tree: Path, options: AnalysisOptions) -> Outcome:
    """Lint one tree in this process."""
    found: list[Report] = []

    def target() -> None:
        for diagnostic in analyze(root=tree, targets=[tree], options=options).diagnostics:
            found.append(
                Report(
                    str(Path(diagnostic.filename).relative_to(tree)),
                    diagnostic.location.row,
                    diagnostic.location.column,
                    diagnostic.code,
                    diagnostic.severity.name.lower(),
                )
            )

    started = time.process_time()
    # Nested code is walked by recursion.
    sys.setrecursionlimit(_FRAMES)
    threading.stack_size(_STACK_BYTES)
    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    return Outcome(tuple(sorted(found)), time.process_time() - started)


def lint_within(tree: Path, options: AnalysisOptions, limit: float) -> Outcome:
    """Lint one tree in a process of its own.

    Args:
      tree: a folder.
      options: how.
      limit: seconds after which it is given up.
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        waiting = pool.apply_async(lint, (tree, options))
        try:
            return waiting.get(limit)
        except multiprocessing.TimeoutError:
            return Outcome(None, limit)


def compare(name: str, shipped: Outcome, other: Outcome) -> int:
    """Print how another run differs from the shipped one.

    Returns:
      The number of reports in only one of them; 1 where a run did not end.
    """
    if shipped.reports is None or other.reports is None:
        print(f"  {name}: not done within {other.seconds:.0f} s")
        return 1
    ours, theirs = Counter(shipped.reports), Counter(other.reports)
    lost, extra = sorted((theirs - ours).elements()), sorted((ours - theirs).elements())
    for report in lost:
        print(f"  only with {name}: {report}")
    for report in extra:
        print(f"  not with {name}: {report}")
    return len(lost) + len(extra)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare all trees; 1 when any report differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one analysis")
    parser.add_argument("--budget-scale", type=float, nargs="+", default=[10.0], metavar="FACTOR")
    chosen = parser.parse_args(arguments)
    others = {"every function": AnalysisOptions(everything=True)}
    others |= {f"budgets x {f:g}": AnalysisOptions(budget_scale=f) for f in chosen.budget_scale}
    reports = differences = 0
    seconds = dict.fromkeys(("as shipped", *others), 0.0)
    for tree in expand(chosen.trees or default_trees()):
        shipped = lint_within(tree, AnalysisOptions(), chosen.limit)
        reports += len(shipped.reports or ())
        times = [f"{shipped.seconds:.1f} s"]
        outcomes = {n: lint_within(tree, options, chosen.limit) for n, options in others.items()}
        times += [f"{name} {outcome.seconds:.1f} s" for name, outcome in outcomes.items()]
        for name, outcome in {"as shipped": shipped, **outcomes}.items():
            seconds[name] += outcome.seconds
        print(f"{tree.name}: {len(shipped.reports or ())} reports ({', '.join(times)})", flush=True)
        differences += sum(compare(name, shipped, outcome) for name, outcome in outcomes.items())
    print(f"{reports} reports as shipped, {differences} differ")
    for name in others:
        print(f"{name}: {seconds[name] / seconds['as shipped']:.2f} of the CPU time as shipped")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

"""Candidates for faults that ``check`` has missed in a package, from runs of its own tests.

::

    python -m tools.audit FOLDER [--only WORD ...] [--modules] [--seconds 600] [--json FILE]

FOLDER is linted, and each of its test files is run as ``jitlint verify --audit`` runs it: in a
copy, with everything watched that may be a fault and is not reported.  With ``--modules`` the other
modules are run as well: their doctests, main blocks and example calls, and their traced functions
with inputs that are made up.  ``--driver FILE`` runs a script in the package (say, a training loop)
the same way.

Each line is one candidate: where, what was seen, by what call, how often.  Somebody has to judge
them: what happens once while tracing may be what the author wants (a cache that traces fill), and
what a test does on purpose is no fault.  The exit code is 0.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.verify.driving.modules import is_test_file
from jitlint.verify.driving.verdicts import Verified
from jitlint.verify.plan import DEFAULT_MEMORY_BYTES, Plan
from jitlint.verify.session import verify
from jitlint.verify.verdict_text import missed_in_words

_SECONDS = 600.0
#: how much of what is said of one candidate is printed
_SHOWN = 240


def audit(
    folder: Path,
    *,
    only: Sequence[str] = (),
    modules: bool = False,
    drivers: Sequence[Path] = (),
    seconds: float = _SECONDS,
) -> Verified:
    """Run the tests of a package, and say what was seen there and is not reported.

    Args:
      folder: the package; what lies in it is copied and run.
      only: parts of the names of the files that are run; empty runs all.
      modules: run the modules that hold no tests, too.
      drivers: scripts in the folder that are run as well.
      seconds: how long one file may take.
    """
    root = folder.resolve()
    found = analyze(root=root, targets=[root], options=AnalysisOptions(listing=True))
    files = sorted(root.rglob("*.py"))
    chosen = [
        path
        for path in files
        if (modules or is_test_file(str(path)))
        and (not only or any(word in str(path.relative_to(root)) for word in only))
    ]
    if not chosen and not drivers:
        sys.stderr.write("no file of the folder holds tests by its name: try --modules, --driver\n")
    plan = Plan(
        root=root,
        files=files,
        reports=[],
        everything=found.diagnostics,
        platforms=["cpu"],
        seconds=seconds,
        memory_bytes=DEFAULT_MEMORY_BYTES,
        traced=found.traced,
        sketched=found.sketched,
        also=[*chosen, *(path.resolve() for path in drivers)],
    )
    return verify(plan, _progress)


def candidates(verified: Verified, root: Path) -> list[str]:
    """A line for each candidate, the plausible ones first, by file and row."""
    listed = sorted(
        verified.missed,
        key=lambda one: (
            one["implausible"] is not None,
            one["filename"],
            one["location"]["row"],
            str(one["rule"]),
        ),
    )
    lines = []
    for one in listed:
        path = Path(one["filename"])
        name = path.relative_to(root) if path.is_relative_to(root) else path
        lines.append(f"{name}:{one['location']['row']} {missed_in_words(one)[:_SHOWN]}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit a package and print the candidates.

    Args:
      arguments: the command line without the program's name.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=(), metavar="WORD")
    parser.add_argument("--modules", action="store_true")
    parser.add_argument("--driver", action="append", type=Path, default=[])
    parser.add_argument("--seconds", type=float, default=_SECONDS)
    parser.add_argument("--json", type=Path, help="write all that was seen to this file")
    options = parser.parse_args(arguments)
    verified = audit(
        options.folder,
        only=options.only,
        modules=options.modules,
        drivers=options.driver,
        seconds=options.seconds,
    )
    for line in candidates(verified, options.folder.resolve()):
        sys.stdout.write(f"{line}\n")
    kinds = Counter(str(one["rule"] or one["exception"]) for one in verified.missed)
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    sys.stdout.write(f"{len(verified.missed)} candidates ({told or 'none'}); ")
    sys.stdout.write(
        f"{verified.functions_run} of {verified.functions} traced functions were run; "
    )
    sys.stdout.write(f"{verified.seconds:.0f} s\n")
    for failure in verified.failures:
        sys.stdout.write(f"  {failure[:_SHOWN]}\n")
    if options.json is not None:
        options.json.write_text(json.dumps(verified.to_json(), indent=1), encoding="utf-8")
    return 0


def _progress(done: int, total: int, filename: str, doing: str) -> None:
    sys.stderr.write(f"[{done}/{total}] {filename}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())

"""What the fixes make of real faults, beside what the authors made of them.

::

    python -m benchmarks.mended MIRRORS [--codes JIT1,JIT205] [--skip 11] [--most 30]

Takes the faults of ``histories.json`` that may be looked at, lints the whole tree of the commit
before each was mended, and prints for each fault that is found the fix that jitlint offers there,
and the change of that file by the authors.  ``mended.md`` has the judgements.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.histories import OPEN, TABLE, Fault, mirror, read_table, take_out
from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Diagnostic
from jitlint.fixes.application import Fixed
from jitlint.foundation.deep_stack import with_deep_stack

_CONTEXT = 2
#: rows of the authors' change that are shown
_MOST_ROWS = 60


def found_at(tree: Path, fault: Fault) -> list[Diagnostic]:
    """What is reported at a fault, of its rules."""
    options = AnalysisOptions(assume_traced=fault.assume)
    analysis = with_deep_stack(lambda: analyze(tree, [tree / fault.path], options=options))
    return [
        item
        for item in analysis.diagnostics
        if item.location.row in fault.rows and item.code in fault.codes
    ]


def own_change(text: str, report: Diagnostic) -> Iterator[str]:
    """The rows that the fix of a report changes."""
    old, new = text.splitlines(), Fixed(text, [report]).text.splitlines()
    yield from list(difflib.unified_diff(old, new, n=_CONTEXT, lineterm=""))[2:]


def authors_change(git_folder: Path, fault: Fault) -> Iterator[str]:
    """The rows that the commit has changed in the file, the nearest ones to the fault."""
    command = [
        "git",
        "--git-dir",
        str(git_folder),
        "diff",
        f"-U{_CONTEXT}",
        fault.parent,
        fault.fix,
    ]
    done = subprocess.run([*command, "--", fault.path], check=True, capture_output=True)
    hunks: list[list[str]] = []
    for line in done.stdout.decode(errors="replace").splitlines():
        if line.startswith("@@"):
            hunks.append([])
        if hunks:
            hunks[-1].append(line)
    row = fault.rows[0]
    hunks.sort(key=lambda hunk: abs(int(hunk[0].split()[1].partition(",")[0].lstrip("-")) - row))
    yield from [line for hunk in hunks[:2] for line in hunk][:_MOST_ROWS]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the pairs.

    Args:
      argv: the arguments; those of the process by default.
    """
    parser = argparse.ArgumentParser(description="Fixes of real faults, beside the authors' own.")
    parser.add_argument("mirrors", metavar="MIRRORS", type=Path, help="the folder of the clones")
    parser.add_argument("--codes", metavar="CODES", default="JIT", help="the start of a code")
    parser.add_argument("--skip", metavar="NUMBER", type=int, default=0, help="leave the first out")
    parser.add_argument("--most", metavar="NUMBER", type=int, default=1000)
    arguments = parser.parse_args(argv)
    wanted = tuple(arguments.codes.split(","))
    faults = [
        fault
        for fault in read_table(TABLE)
        if fault.half in OPEN
        and fault.cell is None
        and any(code.startswith(wanted) for code in fault.codes)
    ]
    found = fixable = 0
    chosen = faults[arguments.skip :][: arguments.most]
    for fault in chosen:
        git_folder = mirror(arguments.mirrors, fault.repository)
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder).resolve()
            take_out(git_folder, fault.parent, tree)
            reports = found_at(tree, fault)
            text = (tree / fault.path).read_text(encoding="utf-8", errors="replace")
        found += bool(reports)
        fixed = [report for report in reports if report.fix is not None]
        fixable += bool(fixed)
        words = "fixed" if fixed else "found, without a fix" if reports else "missed"
        print(f"=== {fault}: {words}", flush=True)
        if not fixed:
            continue
        for report in fixed[:1]:
            assert report.fix is not None
            print(f"--- {report.code}, {report.fix.applicability.value}: {report.fix.message}")
            print(*own_change(text, report), sep="\n")
        print(f"--- the authors: {fault.note}")
        print(*authors_change(git_folder, fault), sep="\n")
    print(f"{found} of {len(chosen)} found, {fixable} with a fix")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

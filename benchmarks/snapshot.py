"""What a version of jitlint says of many projects, and what another one says otherwise.

::

    python -m benchmarks.snapshot take OUT.json FOLDER ... [--linter TREE]
    python -m benchmarks.snapshot compare BEFORE.json AFTER.json [--show 20]

Each folder is copied and linted as a project of its own, cold, by one process, with everything down
to infos and with what of the traced code was left out.  Projects that OUT.json has already are not
linted again, so that a run that was cut off goes on where it was.  ``compare`` prints by code how
many reports are only in one of the two or say something else, and some of them; it exits with 1 if
there are any.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_OPTIONS = ("--no-cache", "--output-format", "json", "--min-severity", "info", "--verbose")
#: where a report stands, and what it is of: of two runs these are the same report
_PLACE = ("filename", "cell", "code", "location", "end_location")
#: folders that no version of a project holds
_PASSING = (".git", ".jitlint_cache", "__pycache__")

Report = Mapping[str, Any]


def lint(folder: Path, linter: Path) -> Mapping[str, Any]:
    """What is found in a folder as a project of its own.

    Args:
      folder: is copied.
      linter: the source of jitlint.

    Returns:
      Its exit code, reports, what it said besides, and CPU seconds.
    """
    with tempfile.TemporaryDirectory() as place:
        # The same name for every version: nothing may hang on it.
        root = Path(place).resolve() / folder.name
        shutil.copytree(folder, root, ignore=shutil.ignore_patterns(*_PASSING))
        (root / "pyproject.toml").touch()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "jitlint", "check", *_OPTIONS, "--jobs", "1"],
            cwd=root, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(linter)},
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)

    def relative(text: str) -> str:
        return text.replace(f"{root}/", "").replace(str(root), ".")

    try:
        reports = json.loads(relative(done.stdout))
    except ValueError:
        reports = []
    said = [line for line in relative(done.stderr).splitlines() if line.strip()]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "exit": done.returncode,
        "reports": reports,
        "said": said,
        "seconds": round(seconds, 2),
    }


def take(out: Path, folders: Sequence[Path], linter: Path) -> None:
    """Lint folders, and write what was found after each.

    Args:
      out: the file to write, or to go on with.
      folders: the projects.
      linter: the source of jitlint.
    """
    known = json.loads(out.read_text()) if out.exists() else {}
    for folder in folders:
        name = f"{folder.parent.name}/{folder.name}"
        if name in known:
            continue
        found = known[name] = lint(folder, linter)
        print(f"{name:<40} {len(found['reports']):6} reports {found['seconds']:8.1f} s", flush=True)
        written = out.with_suffix(".new")
        written.write_text(json.dumps(known))
        written.replace(out)


def place_of(report: Report) -> str:
    """What tells a report from the others of its project."""
    return json.dumps([report[field] for field in _PLACE])


def differences(
    before: Sequence[Report], after: Sequence[Report]
) -> Iterator[tuple[str, Report | None, Report | None]]:
    """What one run says of a project and another does not.

    Args:
      before: the reports of one.
      after: those of the other.

    Yields:
      Which fields differ, or that a report is "gone" or "new", and the two reports.
    """
    places: tuple[dict[str, list[Report]], ...] = (defaultdict(list), defaultdict(list))
    for reports, found in zip((before, after), places, strict=True):
        for report in reports:
            found[place_of(report)].append(report)
    for place in dict.fromkeys([*places[0], *places[1]]):
        old, new = places[0].get(place, []), places[1].get(place, [])
        common = min(len(old), len(new))
        for one, other in zip(old[:common], new[:common], strict=True):
            changed = sorted(key for key in {*one, *other} if one.get(key) != other.get(key))
            if changed:
                yield "changed: " + ", ".join(changed), one, other
        yield from (("gone", report, None) for report in old[common:])
        yield from (("new", None, report) for report in new[common:])


def compare(before: Path, after: Path, shown: int) -> int:
    """Print what differs between two files.

    Args:
      before: what one version said.
      after: what the other said.
      shown: how many differences of each project to print.

    Returns:
      How many things differ.
    """
    old, new = (json.loads(path.read_text()) for path in (before, after))
    by_code: Counter[tuple[str, str]] = Counter()
    total = reports = 0
    for name in sorted(old.keys() & new.keys()):
        one, other = old[name], new[name]
        reports += len(one["reports"])
        found = list(differences(one["reports"], other["reports"]))
        said = Counter(other["said"])
        said.subtract(one["said"])
        words = [f"{'+' if n > 0 else '-'} {line}" for line, n in sorted(said.items()) if n]
        if one["exit"] != other["exit"]:
            words.insert(0, f"exit code {one['exit']} -> {other['exit']}")
        total += len(found) + len(words)
        if found or words:
            print(f"{name}: {len(found)} reports differ, {len(words)} lines on standard error")
        for what, report, now in found[:shown]:
            print(f"  {what}: {_described(report, now)}")
        for line in words[:shown]:
            print(f"  {line}")
        by_code.update(((report or now or {})["code"], what) for what, report, now in found)
    for (code, what), count in sorted(by_code.items()):
        print(f"{code} {what}: {count}")
    for label, missing in (("before", new.keys() - old), ("after", old.keys() - new)):
        if missing:
            print(f"not there {label}: {', '.join(sorted(missing))}")
    both = old.keys() & new.keys()
    seconds = [sum(run[name]["seconds"] for name in both) for run in (old, new)]
    print(
        f"{len(both)} projects, {reports} reports, {total} differences; "
        f"{seconds[0]:.0f} -> {seconds[1]:.0f} s of CPU"
    )
    return total


def _described(before: Report | None, after: Report | None) -> str:
    report = before or after or {}
    row = report["location"]["row"]
    text = f"{report['filename']}:{row} {report['code']} {report['message']}"
    if before is None or after is None:
        return text
    fields = [key for key in before if before.get(key) != after.get(key)]
    return text + "".join(f"\n    {k}: {before.get(k)}\n      -> {after.get(k)}" for k in fields)


def main() -> int:
    """Take a snapshot, or compare two.

    Returns:
      1 when two snapshots differ.
    """
    parser = argparse.ArgumentParser(description="What versions of jitlint say of projects.")
    commands = parser.add_subparsers(dest="command", required=True)
    taking = commands.add_parser("take", help="lint projects")
    taking.add_argument("out", metavar="OUT", type=Path)
    taking.add_argument("folders", metavar="FOLDER", nargs="+", type=Path)
    taking.add_argument("--linter", metavar="TREE", type=Path, default=ROOT)
    comparing = commands.add_parser("compare", help="what differs")
    comparing.add_argument("before", metavar="BEFORE", type=Path)
    comparing.add_argument("after", metavar="AFTER", type=Path)
    comparing.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    if arguments.command == "take":
        folders = [folder.resolve() for folder in arguments.folders]
        take(arguments.out, folders, arguments.linter.resolve())
        return 0
    return 1 if compare(arguments.before, arguments.after, arguments.show) else 0


if __name__ == "__main__":
    sys.exit(main())

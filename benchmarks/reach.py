"""Whether ``check FILE`` says of a file what a run over its whole project says, and what it costs.

::

    python -m benchmarks.reach PROJECT ... [--files 30] [--seed 1] [--minutes 8] [--linter TREE]

For some files of each project (at random, the larger ones rather) ``jitlint check FILE --no-cache``
is compared with a cold run over everything, cut down to the file: every field of every report.
Prints what differs, and the CPU time of the one as a ratio to the other: for files that nothing
imports, for the others, and at worst.  What differs is written to --keep: the project, the name of
the file, and both answers.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Is check FILE equal to a run over everything?")
    parser.add_argument("projects", metavar="PROJECT", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=30, help="of each project")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop then")
    parser.add_argument("--keep", metavar="FOLDER", type=Path, default=Path("differences"))
    parser.add_argument("--linter", metavar="TREE", type=Path, default=ROOT)
    return parser.parse_args()


if __name__ == "__main__":
    ARGUMENTS = _arguments()
    sys.path.insert(0, str(ARGUMENTS.linter.resolve()))

from benchmarks.edits.differences import difference  # noqa: E402
from benchmarks.edits.runs import command, prepare, read, write  # noqa: E402
from benchmarks.edits.sources import Files  # noqa: E402

_NAME = re.compile(r"\w+")
_TRANSFORM = re.compile(r"\bjax\b|\bflax\b|\bequinox\b|\bhaiku\b")


def imported(files: Files) -> set[str]:
    """The files whose name stands in an import of another one: rather too many than too few."""
    words: dict[str, set[str]] = {
        name: {
            word
            for line in text.splitlines()
            if "import" in line or line.startswith(("    ", ")"))
            for word in _NAME.findall(line)
        }
        for name, text in files.items()
        if name.endswith((".py", ".ipynb", ".md"))
    }
    found = set()
    for name in files:
        path = Path(name)
        own = path.parent.name if path.stem == "__init__" else path.stem
        if any(own in mentioned for other, mentioned in words.items() if other != name):
            found.add(name)
    return found


class Compared:
    """What came of the comparisons.

    Attributes:
      leaves: ratios of files that nothing imports.
      others: those of the rest.
      different: how many files differ.
    """

    def __init__(self, keep: Path, until: float) -> None:
        """Nothing so far.

        Args:
          keep: the folder for what differs.
          until: the time at which to stop.
        """
        self._keep = keep
        self._until = until
        self.leaves: list[float] = []
        self.others: list[float] = []
        self.different = 0

    def add(self, folder: Path, count: int, seed: int) -> None:
        """Compare some files of a project.

        Args:
          folder: the project.
          count: how many.
          seed: of the choice.
        """
        files = read(folder)
        place = Path(tempfile.mkdtemp(prefix="reach-")).resolve()
        root = place / folder.name
        root.mkdir()
        write(root, {}, files)
        whole = command(root, cache=None)
        wanted = some_files(files, count, random.Random(f"{seed} {folder.name}"))
        wanted += sorted(
            {Path(str(item["filename"])).relative_to(root).as_posix() for item in whole.reports}
        )
        used = imported(files)
        leaves: list[float] = []
        others: list[float] = []
        different = 0
        for name in dict.fromkeys(wanted):
            if not name.endswith(".py"):
                continue
            if time.time() > self._until:
                break
            one = command(root, name, cache=None)
            (others if name in used else leaves).append(one.seconds / whole.seconds)
            expected = whole.of([root / name])
            found = difference(one, expected)
            if found is not None:
                self.different += 1
                different += 1
                kept = self._keep / f"reach-{folder.name}-{name.replace('/', '-')}.json.gz"
                kept.parent.mkdir(parents=True, exist_ok=True)
                said = {
                    "difference": found,
                    "file": name,
                    "alone": [*one.reports],
                    "whole": [*expected.reports],
                    "files": {**files},
                }
                data = json.dumps(said).encode("utf-8", "surrogatepass")
                kept.write_bytes(gzip.compress(data))
                print(f"  DIFFERS {folder.name}/{name}: {found}", flush=True)
        shutil.rmtree(place)
        print(
            f"{folder.name}: whole {whole.seconds:.2f} s; {described(leaves, others)}", flush=True
        )
        count = len(leaves) + len(others)
        print(f"SUMMARY reach {folder.name} files={count} differences={different}", flush=True)
        self.leaves += leaves
        self.others += others


def some_files(files: Files, count: int, rng: random.Random) -> list[str]:
    """Files to be named: those with JAX in them, and some others."""
    python = [name for name in files if name.endswith(".py")]
    traced = [name for name in python if _TRANSFORM.search(files[name])]
    rest = [name for name in python if name not in {*traced}]
    few = min(len(rest), count // 5)
    return rng.sample(traced, min(len(traced), count - few)) + rng.sample(rest, few)


def described(leaves: Sequence[float], others: Sequence[float]) -> str:
    """Ratios in words."""

    def middle(ratios: Sequence[float]) -> str:
        if not ratios:
            return "no file"
        return f"median {statistics.median(ratios):.3f}, worst {max(ratios):.3f} ({len(ratios)})"

    every = [*leaves, *others]
    return (
        f"nothing imports it: {middle(leaves)}; the others: {middle(others)}; all: {middle(every)}"
    )


def main(arguments: argparse.Namespace) -> int:
    """Compare files of projects.

    Args:
      arguments: of the command line.

    Returns:
      1 if anything differs.
    """
    prepare()
    compared = Compared(arguments.keep, time.time() + arguments.minutes * 60)
    for folder in arguments.projects:
        compared.add(folder.resolve(), arguments.files, arguments.seed)
    count = len(compared.leaves) + len(compared.others)
    print(f"{count} files, {compared.different} differ")
    print(described(compared.leaves, compared.others))
    return 1 if compared.different else 0


if __name__ == "__main__":
    sys.exit(main(ARGUMENTS))

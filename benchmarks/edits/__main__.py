"""Edit projects at random, and compare after each edit what is said with a cold run.

::

    python -m benchmarks.edits PROJECT ... [--edits 400] [--seed 1] [--minutes 8] [--linter TREE]
    python -m benchmarks.edits --replay FILE [--linter TREE]

Each project is copied.  After each edit ``jitlint check`` runs with a cache that is kept, and at
times the server's path with its memory, and both are compared with a run without a cache on the
same files: every field of every report, the lines on standard error, and at times what was left
out.  Edits that differ are cut down to the fewest states and statements that still show it, and
written to --keep, a file for each; ``--replay`` shows such a one again, wherever it is.  Several
processes may share the work, each with a --seed of its own: the last line of each says what came
of it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Are warm runs equal to cold ones after edits?")
    parser.add_argument("projects", metavar="PROJECT", nargs="*", type=Path)
    parser.add_argument("--edits", type=int, default=400, help="of each project")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--linter", metavar="TREE", type=Path, default=ROOT)
    parser.add_argument("--keep", metavar="FOLDER", type=Path, default=Path("differences"))
    parser.add_argument("--only", metavar="WORDS", help="kinds and groups, comma-separated")
    parser.add_argument("--without", metavar="WORDS", default="", help="the same, left out")
    parser.add_argument("--server", type=float, default=0.25, help="how often it is asked, 0 to 1")
    parser.add_argument("--single", type=float, default=0.1, help="how often one file is named")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop then")
    parser.add_argument("--reduce", type=float, default=45, help="seconds for cutting down one")
    parser.add_argument("--replay", metavar="FILE", type=Path, help="a difference that was kept")
    parser.add_argument("--unpack", metavar="FOLDER", type=Path, help="its states, to be read")
    parser.add_argument("--no-table", dest="table", action="store_false", help="only a summary")
    return parser.parse_args()


if __name__ == "__main__":
    ARGUMENTS = _arguments()
    sys.path.insert(0, str(ARGUMENTS.linter.resolve()))

from benchmarks.edits.differences import kept, replayed, unpack  # noqa: E402
from benchmarks.edits.editing import Choices, Editing, Figures  # noqa: E402
from benchmarks.edits.kinds import KINDS  # noqa: E402
from benchmarks.edits.runs import prepare  # noqa: E402


def show(figures: Figures, write_line: Callable[[str], object] = print) -> None:
    """Print what edits have cost, by kind.

    Args:
      figures: of all projects.
      write_line: takes a line.
    """
    write_line(f"{'edit':<44} {'edits':>5} {'median':>7} {'worst':>7} {'parts':>6} {'server':>7}")
    groups = {name: each.group for name, each in KINDS.items()}
    order = ("trivia", "docstring", "noqa", "body", "surface", "files", "broken", "")
    for group in order:
        names = sorted(n for n in figures.ratios if groups.get(n, "") == group)
        merged = [ratio for name in names for ratio in figures.ratios[name]]
        if not merged:
            continue
        parts = [n for name in names for n in figures.interpreted[name]]
        served = [n for name in names for n in figures.served.get(name, ())]
        write_line(_row(f"all of {group or 'the rest'}", merged, parts, served))
        for name in names:
            write_line(
                _row(
                    f"  {name}",
                    figures.ratios[name],
                    figures.interpreted[name],
                    figures.served.get(name, []),
                )
            )


def _row(name: str, ratios: Sequence[float], parts: Sequence[int], served: Sequence[float]) -> str:
    median = statistics.median
    return (
        f"{name:<44} {len(ratios):5} {median(ratios):7.3f} {max(ratios):7.3f} "
        f"{f'{median(parts):.0f}' if parts else '?':>6} "
        f"{f'{median(served):.3f}' if served else '':>7}"
    )


def summary(name: str, figures: Figures) -> str:
    """What came of a project, on one line.

    Args:
      name: of the project.
      figures: of its edits.
    """
    return (
        f"SUMMARY {name} edits={figures.steps} comparisons={figures.compared} "
        f"differences={len(figures.different)}"
    )


def main(arguments: argparse.Namespace) -> int:
    """Edit the projects.

    Args:
      arguments: of the command line.

    Returns:
      1 if anything differs.
    """
    prepare()
    if arguments.replay is not None:
        states, served = kept(arguments.replay)
        if arguments.unpack is not None:
            unpack(states, arguments.unpack)
        found = replayed(states, "project", served=served)
        print(found or "nothing differs")
        return 1 if found else 0
    every = Figures()
    choices = Choices(
        edits=arguments.edits,
        seed=arguments.seed,
        only=frozenset(arguments.only.split(",") if arguments.only else ()),
        without=frozenset(arguments.without.split(",")),
        server=arguments.server,
        single=arguments.single,
        reduce=arguments.reduce,
        keep=arguments.keep,
        until=time.time() + arguments.minutes * 60,
    )
    for folder in arguments.projects:
        figures = Figures()
        editing = Editing(folder.resolve(), choices, figures)
        editing.run()
        every.add(figures)
        print(summary(editing.name, figures), flush=True)
    if arguments.table:
        show(every)
    if len(arguments.projects) > 1:
        print(summary("all", every))
    return 1 if every.different else 0


if __name__ == "__main__":
    sys.exit(main(ARGUMENTS))

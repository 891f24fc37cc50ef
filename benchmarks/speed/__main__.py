"""The table of what jitlint may take, measured.

::

    python -m benchmarks.speed [TREE ...] [--linter TREE ...] [--rows edits,files] [--enforce]

On each TREE (by default the installed flax) by row:

- ``cold``: a cold check by one process, against a bare ``libcst.parse_module`` of every file and
  ``flake8 -j1``; and a first check that keeps its results; in rounds that interleave them.
- ``fix``: one with ``--fix`` in which nothing is left to fix, against one without.
- ``warm``: one where nothing has changed since the last, against ``ruff check --no-cache``, and on
  a package without JAX (--plain, by default the installed NumPy) against reading its files.
- ``edits``: one with the cache after an edit of a comment, and of a function's body, against cold.
- ``files``: one of a single file without the cache, against one of everything.
- ``tutorials``, ``verify``: the same of three files in this repository.
- ``lines``: what a line costs in every TREE and --also, and the memory that is held at most.
- ``growth``: generated code: twice as much of it, and a chain of functions called twice each.

With several --linter each is measured on the same files in the same run, and the last one has to
hold the bars.  Times are CPU seconds, in user mode and the system's, start-up included.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from benchmarks.speed import cold, growth, loop
from benchmarks.speed.measuring import ROOT, Linter, Table

ROWS = ("cold", "fix", "warm", "edits", "files", "tutorials", "verify", "lines", "growth")
_USUAL = "cold,fix,warm,growth"


def installed(package: str) -> Path | None:
    """The folder of an installed package, found without importing it; None if there is none."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def measure(table: Table, arguments: argparse.Namespace) -> None:
    """Measure what was asked for.

    Args:
      table: takes the rows.
      arguments: of the command line.
    """
    rows = {*arguments.rows.split(",")}
    flax = installed("flax")
    trees = [tree.resolve() for tree in arguments.trees] or ([] if flax is None else [flax])
    if not trees:
        raise SystemExit("flax is not installed: name a tree")
    plain = arguments.plain.resolve() if arguments.plain else installed("numpy")
    for number, tree in enumerate(trees):
        if "cold" in rows:
            cold.add_cold(table, tree, arguments.rounds)
        if "fix" in rows:
            cold.add_fixing(table, tree, arguments.rounds)
        if "warm" in rows:
            cold.add_warm(table, tree, None if number else plain, arguments.rounds)
        if "edits" in rows:
            loop.add_edits(table, tree, arguments.edits)
        if "files" in rows:
            loop.add_files(table, tree, arguments.files)
    if "tutorials" in rows or "verify" in rows:
        loop.add_tutorials(table, verify="verify" in rows)
    if "lines" in rows:
        cold.add_lines(table, [*trees, *(tree.resolve() for tree in arguments.also)])
    if "growth" in rows:
        linters, rounds = table.linters, arguments.rounds
        scaled = {each.name: growth.scaling(each, rounds) for each in linters}
        table.add("twice the code", growth.DOUBLING_LIMIT, scaled)
        chained = {each.name: growth.doubling_chain(each, rounds) for each in linters}
        table.add("chain of 50 doubled calls, seconds", growth.CHAIN_LIMIT_SECONDS, chained)


def main() -> int:
    """Measure, print, and with ``--enforce`` judge.

    Returns:
      1 when ``--enforce`` was given and a bar is exceeded.
    """
    parser = argparse.ArgumentParser(description="CPU time of jitlint, as ratios.")
    parser.add_argument("trees", metavar="TREE", nargs="*", type=Path, help="default: flax")
    parser.add_argument("--linter", metavar="TREE", action="append", type=Path)
    parser.add_argument("--rows", default=_USUAL, help=f"some of {','.join(ROWS)}")
    parser.add_argument(
        "--plain", metavar="TREE", type=Path, help="a package without JAX (default: NumPy)"
    )
    parser.add_argument("--also", metavar="TREE", nargs="*", type=Path, default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--edits", type=int, default=25, help="of each sort and tree")
    parser.add_argument("--files", type=int, default=8, help="of each sort and tree")
    parser.add_argument("--enforce", action="store_true", help="exit with 1 beyond a bar")
    arguments = parser.parse_args()
    linters = [Linter(tree.resolve()) for tree in arguments.linter or [ROOT]]
    table = Table(linters)
    measure(table, arguments)
    table.show()
    return 1 if arguments.enforce and not table.held() else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs over everything: cold, with a cache for the first time, and where nothing has changed."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.speed.measuring import Linter, Measure, Table, in_turn, median_ratio, usage

# What DESIGN.md section 7 allows.
PARSE_LIMIT = 2.5
# The same for packages so small that start-up counts, in bytes.
SMALL = 1_500_000
SMALL_PARSE_LIMIT = 3.0
FLAKE8_LIMIT = 1.0
# A first run that keeps its results, against one that does not.
KEEPING_LIMIT = 1.15
# A check that may fix, against one that may not, where nothing is to be fixed.
FIXING_LIMIT = 1.05
RUFF_LIMIT = 1.5
READING_LIMIT = 3.0
# What a line costs in the dearest project, against the median of projects.
LINE_LIMIT = 3.0
MEGABYTES_LIMIT = 800.0

_PARSE = """
import pathlib, sys
import libcst
for path in sys.stdin.read().splitlines():
    try:
        libcst.parse_module(pathlib.Path(path).read_bytes())
    except libcst.ParserSyntaxError:
        pass
"""
_READ = """
import sys
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        file.read()
"""
#: flake8 with its default checks: without a plugin of ours, which would be measured against itself
_FLAKE8 = """
import importlib.metadata, sys
installed = importlib.metadata.distributions
importlib.metadata.distributions = lambda: (d for d in installed() if d.name != "jitlint")
from flake8.main.cli import main
sys.exit(main(sys.argv[1:]))
"""


def copied(tree: Path, place: Path) -> Path:
    """A copy of a tree as a project of its own.

    Args:
      tree: is copied.
      place: the folder to put it into.

    Returns:
      The copy.
    """
    root = place.resolve() / tree.name
    hidden = shutil.ignore_patterns(".git", "__pycache__", ".jitlint_cache", "*.dist-info")
    shutil.copytree(tree, root, ignore=hidden)
    (root / "pyproject.toml").write_text("")
    return root


def add_cold(table: Table, tree: Path, rounds: int) -> None:
    """Measure against a bare parse and flake8.

    Args:
      table: takes the rows.
      tree: a folder with Python files.
      rounds: how often each is run.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = copied(tree, Path(folder))
        files = sorted(str(path) for path in root.rglob("*.py"))
        size = sum(Path(file).stat().st_size for file in files)
        print(f"{tree.name}: {len(files)} files, {size / 1e6:.2f} MB, {rounds} rounds")
        listing = "\n".join(files)

        def other(program: str, *arguments: str, stdin: str = "") -> float:
            command = [sys.executable, "-P", "-c", program, *arguments]
            return usage(command, cwd=root, stdin=stdin).seconds

        def first(linter: Linter) -> float:
            with tempfile.TemporaryDirectory() as cache:
                return linter.check(root, cache=Path(cache)).seconds

        flake8 = ["--isolated", "-j1", "-qq", "."]
        contestants: dict[str, Measure] = {
            "libcst.parse_module": lambda: other(_PARSE, stdin=listing),
            "flake8 -j1": lambda: other(_FLAKE8, *flake8),
        }
        for linter in table.linters:
            contestants[linter.name] = partial(_seconds, linter, root)
            contestants[f"{linter.name}, first run"] = partial(first, linter)
        times = in_turn(contestants, rounds)
    limit = SMALL_PARSE_LIMIT if size < SMALL else PARSE_LIMIT
    for what, bar in (("libcst.parse_module", limit), ("flake8 -j1", FLAKE8_LIMIT)):
        table.add(
            f"{tree.name}: cold / {what}",
            bar,
            {each.name: median_ratio(times[each.name], times[what]) for each in table.linters},
        )
    table.add(
        f"{tree.name}: first run with the cache / without",
        KEEPING_LIMIT,
        {
            each.name: median_ratio(times[f"{each.name}, first run"], times[each.name])
            for each in table.linters
        },
    )


def _seconds(linter: Linter, root: Path, *arguments: str) -> float:
    return linter.check(root, *arguments).seconds


def add_fixing(table: Table, tree: Path, rounds: int) -> None:
    """Measure ``--fix`` where nothing is left to be fixed.

    Args:
      table: takes the row.
      tree: a folder with Python files.
      rounds: how often each is run.
    """
    found = {}
    for linter in table.linters:
        with tempfile.TemporaryDirectory() as folder:
            root = copied(tree, Path(folder))
            linter.check(root, "--fix")
            times = in_turn(
                {
                    "check": partial(_seconds, linter, root),
                    "check --fix": partial(_seconds, linter, root, "--fix"),
                },
                rounds,
            )
        found[linter.name] = median_ratio(times["check --fix"], times["check"])
    table.add(f"{tree.name}: --fix with nothing to fix / check", FIXING_LIMIT, found)


def add_warm(table: Table, tree: Path, plain: Path | None, rounds: int) -> None:
    """Measure checks of trees in which nothing has changed since the last one.

    Args:
      table: takes the rows.
      tree: a folder with Python files.
      plain: one without JAX.
      rounds: how often each is run.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        root = copied(tree, place)
        ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
        if ruff is not None:
            command = [ruff, "check", "--no-cache", "--isolated", "--quiet", "."]
            found = _warm(table, root, "ruff", lambda: usage(command, cwd=root).seconds, rounds)
            table.add(f"{tree.name}: nothing changed / ruff --no-cache", RUFF_LIMIT, found)
        if plain is not None:
            root = copied(plain, place / "plain")
            listing = "\n".join(sorted(str(path) for path in root.rglob("*.py")))
            reading = [sys.executable, "-P", "-c", _READ]
            found = _warm(
                table,
                root,
                "reading",
                lambda: usage(reading, cwd=root, stdin=listing).seconds,
                rounds,
            )
            table.add(f"{plain.name}: without JAX, nothing changed / reading", READING_LIMIT, found)


def _kept_seconds(linter: Linter, root: Path, cache: Path) -> float:
    return linter.check(root, cache=cache).seconds


def _warm(table: Table, root: Path, name: str, other: Measure, rounds: int) -> Mapping[str, float]:
    contestants: dict[str, Measure] = {name: other}
    with tempfile.TemporaryDirectory() as caches:
        for linter in table.linters:
            cache = Path(caches) / linter.name
            contestants[linter.name] = partial(_kept_seconds, linter, root, cache)
        times = in_turn(contestants, rounds)
    return {each.name: median_ratio(times[each.name], times[name]) for each in table.linters}


def add_lines(table: Table, trees: Sequence[Path]) -> None:
    """Measure what a line costs in several projects, and how much memory is held at most.

    Args:
      table: takes the rows.
      trees: the projects.
    """
    costs: dict[str, list[float]] = {linter.name: [] for linter in table.linters}
    held = dict.fromkeys(costs, 0.0)
    for tree in trees:
        with tempfile.TemporaryDirectory() as folder:
            root = copied(tree, Path(folder))
            files = [*root.rglob("*.py"), *root.rglob("*.ipynb")]
            lines = sum(path.read_bytes().count(b"\n") for path in files) or 1
            for linter in table.linters:
                used = linter.check(root)
                costs[linter.name].append(1000 * used.seconds / lines)
                held[linter.name] = max(held[linter.name], used.megabytes)
                print(
                    f"  {tree.name:<24} {lines:7} lines {linter.name:<12} "
                    f"{1000 * used.seconds / lines:6.3f} ms a line {used.megabytes:6.0f} MB",
                    flush=True,
                )
    dearest = {name: max(each) / statistics.median(each) for name, each in costs.items()}
    table.add(f"{len(trees)} projects: a line of the dearest / of the median", LINE_LIMIT, dearest)
    table.add(f"{len(trees)} projects: megabytes at most", MEGABYTES_LIMIT, held)

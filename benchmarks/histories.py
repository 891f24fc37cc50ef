"""How many faults of public histories are found: those that a later commit has mended.

::

    python -m benchmarks.histories MIRRORS [--half seen] [--only WORD] [--codes JIT4,JIT304]

``histories.json`` lists the faults: where they are at the commit before the one that mended them,
the codes that are right there, whether what makes it a fault is in the repository too
(``rooted``), and otherwise which functions are to be assumed traced, if any.  The whole tree of
that commit is taken out of ``MIRRORS/OWNER/NAME.git``, which is cloned where it is missing, and
linted.

Who read an entry anew may find that its harm does not happen as the code is called.  It stays, with
the reason as ``disputed``, and the figures are told with such entries and without.

Half of the repositories may be looked at: each of their faults is listed, and for a missed one what
the analysis knows of it.  The others were held out, so that only their numbers were told, until a
sixth sample took their place: they are called opened since.  A third part was collected later, from
other repositories and other commits, and split in halves too.  So was a fourth, small one: of its
repositories, sorted by the SHA-256 of owner and name, every other may be looked at.  Of a fifth,
sorted likewise, every third is held out, and of a sixth and a seventh all.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import multiprocessing
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.foundation.deep_stack import with_deep_stack
from jitlint.source.decoding import read_document
from jitlint.source.document import DecodeFailure, Document
from jitlint.usage_errors import UsageError

TABLE = Path(__file__).with_suffix(".json")
SEEN, OPENED = "seen", "opened"
THIRD_SEEN, THIRD_HELD_OUT = "third-seen", "third-held-out"
FOURTH_SEEN, FOURTH_HELD_OUT = "fourth-seen", "fourth-held-out"
FIFTH_SEEN, FIFTH_HELD_OUT = "fifth-seen", "fifth-held-out"
SIXTH_HELD_OUT = "sixth-held-out"
SEVENTH_HELD_OUT = "seventh-held-out"
HALVES = (
    SEEN,
    OPENED,
    THIRD_SEEN,
    THIRD_HELD_OUT,
    FOURTH_SEEN,
    FOURTH_HELD_OUT,
    FIFTH_SEEN,
    FIFTH_HELD_OUT,
    SIXTH_HELD_OUT,
    SEVENTH_HELD_OUT,
)
# What may be looked at.
OPEN = frozenset((SEEN, OPENED, THIRD_SEEN, FOURTH_SEEN, FIFTH_SEEN))
# The share of rooted faults that is to be found.
BAR = 0.75
_FORGE = "https://github.com"
# What jitlint reads: code, what tells a project's root and import roots, and where tests and CI may
# set the environment.
_SUFFIXES = frozenset(
    (".py", ".pyi", ".ipynb", ".md", ".rst", ".toml", ".cfg", ".ini", ".yml", ".yaml", ".env")
)
_NAMES = frozenset(("Makefile",))
_REASONS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Rows of a file.

    Args:
      path: the file, as it is called in the parent.
      rows: the rows; in notebooks they are those of the cell.
      cell: the code cell, from 1, in notebooks.
    """

    path: str
    rows: Sequence[int]
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that a commit has mended.

    Args:
      repository: owner and name.
      fix: the commit that mended it.
      parent: the commit before.
      path: the file, as it is called in the parent.
      rows: where a report is right; one is enough.  In notebooks they are those of the cell.
      codes: the rules that are right there.
      rooted: whether what makes it a fault is in the repository: what traces the place, shows that
        a value is an array, reads the clock.
      assume: otherwise the functions to assume traced, to their static parameters; none where that
        would not show it.
      half: one of ``HALVES``.
      note: what was wrong, and what the commit did.
      cell: the code cell, from 1, in notebooks.
      also: other places where a report of this very fault is right, such as the call that shows it.
      disputed: why it may be none, by the rule's own words; empty where nobody doubts it.
    """

    repository: str
    fix: str
    parent: str
    path: str
    rows: tuple[int, ...]
    codes: tuple[str, ...]
    rooted: bool
    assume: Mapping[str, tuple[str, ...]]
    half: str
    note: str
    cell: int | None = None
    also: tuple[Place, ...] = ()
    disputed: str = ""

    def __str__(self) -> str:
        place = f"{self.repository}@{self.parent[:8]} {self.path}:{self.rows[0]}"
        return f"{place}: {' or '.join(self.codes)}{'' if self.rooted else ' (root elsewhere)'}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a fault was found.

    Args:
      found: whether it was.
      reason: what the analysis knows of a missed one.
      decided: whether the analysis came to an end.
    """

    found: bool
    reason: str = ""
    decided: bool = True


def read_table(path: Path = TABLE) -> list[Fault]:
    """The faults of a table."""
    return [
        Fault(
            **{
                **record,
                "rows": tuple(record["rows"]),
                "codes": tuple(record["codes"]),
                "assume": {name: tuple(static) for name, static in record["assume"].items()},
                "also": tuple(Place(**place) for place in record.get("also", ())),
            }
        )
        for record in json.loads(path.read_text(encoding="utf-8"))
    ]


def mirror(folder: Path, repository: str) -> Path:
    """The bare clone of a repository, made where it is missing."""
    path = folder / f"{repository}.git"
    if not path.exists():
        _git("clone", "--quiet", "--bare", f"{_FORGE}/{repository}.git", str(path))
    return path


def take_out(git_folder: Path, commit: str, tree: Path) -> None:
    """Write the files of a commit that concern jitlint.

    Args:
      git_folder: a bare clone.
      commit: which.
      tree: a folder that exists; it looks like a checkout afterwards.
    """
    inside = ("--git-dir", str(git_folder))
    listing = _git(*inside, "ls-tree", "-r", "-z", commit).decode()
    names: list[str] = []
    objects: list[str] = []
    for line in filter(None, listing.split("\0")):
        entry, _, name = line.partition("\t")
        mode, _, item = entry.split()
        path = PurePosixPath(name)
        if mode.startswith("100") and (path.suffix in _SUFFIXES or path.name in _NAMES):
            names.append(name)
            objects.append(item)
    # `git archive` would want every object, also those that a partial clone lacks.
    contents = io.BytesIO(_git(*inside, "cat-file", "--batch", stdin="\n".join(objects)))
    for name in names:
        size = contents.readline().split()[-1]
        if size == b"missing":
            continue
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(contents.read(int(size)))
        contents.readline()
    (tree / ".git").mkdir(exist_ok=True)


def judge(tree: Path, faults: Sequence[Fault]) -> list[Verdict]:
    """Lint a tree and look for its faults.

    Args:
      tree: the parent of the fix.
      faults: faults of that commit, which assume the same.
    """
    options = AnalysisOptions(assume_traced=faults[0].assume, listing=True, omissions=True)

    def lint() -> list[Verdict]:
        analysis = analyze(tree, [tree], options=options)
        return [_verdict(analysis, tree, fault) for fault in faults]

    return with_deep_stack(lint)


def judge_within(tree: Path, faults: Sequence[Fault], limit: float) -> list[Verdict]:
    """Lint a tree in a process of its own, which is given up after some seconds.

    Args:
      tree: the parent of the fix.
      faults: faults of that commit, which assume the same.
      limit: seconds.

    Raises:
      UsageError: there is no function that is to be assumed traced.
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            return pool.apply_async(judge, (tree, faults)).get(limit)
        except UsageError:
            raise  # The table is wrong.
        except multiprocessing.TimeoutError:
            return [Verdict(False, f"not done within {limit:.0f} s", False)] * len(faults)
        except Exception as error:
            return [Verdict(False, f"{type(error).__name__}: {error}", False)] * len(faults)


def _verdict(analysis: Analysis, tree: Path, fault: Fault) -> Verdict:
    path = tree / fault.path
    document = read_document(path)
    if isinstance(document, DecodeFailure):
        return Verdict(False, document.message, False)
    own = Place(fault.path, fault.rows, fault.cell)
    there = _reported(analysis, tree, own)
    shown = [_reported(analysis, tree, place) for place in fault.also]
    if not there.union(*shown).isdisjoint(fault.codes):
        return Verdict(True)
    rows = _rows(document, own)
    function, first, last = _enclosing(document.text, rows[0])
    known = [f"reported there: {', '.join(sorted(there))}"] if there else []
    kinds = [
        ", ".join(f"{name} {kind}" for name, kind in item.parameters.items())
        for item in analysis.traced
        if item.filename == str(path) and item.qualname == function
    ]
    known += [f"`{function}` is traced ({one})" for one in dict.fromkeys(kinds)]
    if not kinds:
        known.append(f"`{function}` is not among the traced functions")
    here = [item for item in analysis.omissions if item.filename == str(path)]
    here.sort(key=lambda item: (not first <= item.row <= last, abs(item.row - rows[0])))
    for item in here[:_REASONS_SHOWN]:
        known.append(f"left out in row {item.row}: {item.message} [{item.reason}]")
    elsewhere = len(analysis.omissions) - len(here)
    if elsewhere:
        known.append(f"{elsewhere} places left out in other files")
    return Verdict(False, "; ".join(known))


def _reported(analysis: Analysis, tree: Path, place: Place) -> set[str]:
    """The codes of what is reported at a place."""
    path = tree / place.path
    document = read_document(path)
    rows = () if isinstance(document, DecodeFailure) else _rows(document, place)
    return {
        diagnostic.code
        for diagnostic in analysis.diagnostics
        if diagnostic.filename == str(path) and diagnostic.location.row in rows
    }


def _rows(document: Document, place: Place) -> list[int]:
    """Where the rows of a place stand in the Python of its file."""
    if document.origins is None:
        return list(place.rows)
    return [
        number
        for number, origin in enumerate(document.origins, 1)
        if origin.cell == place.cell and origin.row in place.rows
    ]


def _enclosing(text: str, row: int) -> tuple[str, int, int]:
    """The qualified name of the innermost function around a row, and its first and last row."""
    found = ("<module>", 1, sys.maxsize)
    todo: list[tuple[ast.AST, str]] = [(ast.parse(text), "")]
    for node, prefix in todo:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}.{child.name}" if prefix else child.name
                last = child.end_lineno or child.lineno
                if not isinstance(child, ast.ClassDef) and child.lineno <= row <= last:
                    found = (name, child.lineno, last)
            todo.append((child, name))
    return found


def _git(*arguments: str, stdin: str = "") -> bytes:
    command = ["git", *arguments]
    return subprocess.run(command, check=True, input=stdin.encode(), stdout=subprocess.PIPE).stdout


def _together(faults: Sequence[Fault]) -> Iterator[list[Fault]]:
    """Faults that one analysis decides."""
    groups: dict[tuple[object, ...], list[Fault]] = defaultdict(list)
    for fault in faults:
        key = (fault.repository, fault.parent, *sorted(fault.assume.items()))
        groups[key].append(fault)
    yield from groups.values()


def _share(name: str, judged: Sequence[tuple[Fault, Verdict]]) -> str:
    every = [verdict for _, verdict in judged]
    broken = sum(not verdict.decided for verdict in every)
    given_up = f", {broken} not decided" if broken else ""
    plain = [verdict for fault, verdict in judged if not fault.disputed]
    disputed = len(every) - len(plain)
    without = f"; without {disputed} disputed: {_figure(plain)}" if disputed else ""
    return f"  {name}: {_figure(every)}{given_up}{without}"


def _figure(verdicts: Sequence[Verdict]) -> str:
    found = sum(verdict.found for verdict in verdicts)
    share = f" ({found / len(verdicts):.0%})" if verdicts else ""
    return f"{found} of {len(verdicts)}{share}"


def main(argv: Sequence[str] | None = None) -> int:
    """Lint the trees, and print what was found.

    Args:
      argv: the arguments; those of the process by default.

    Returns:
      1 when less than the bar was found of the rooted faults, disputed ones among them.
    """
    parser = argparse.ArgumentParser(description="Faults that later commits mended: what is found.")
    parser.add_argument("mirrors", metavar="MIRRORS", type=Path, help="the folder of the clones")
    parser.add_argument("--table", metavar="FILE", type=Path, default=TABLE)
    parser.add_argument("--half", choices=HALVES, help="default: all")
    parser.add_argument("--only", metavar="WORD", help="seen repositories whose name contains this")
    parser.add_argument(
        "--codes",
        metavar="CODES",
        default="",
        help="only faults of these rules, for example JIT4,JIT208; the start of a code selects all",
    )
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=600, help="for one tree")
    arguments = parser.parse_args(argv)
    faults = read_table(arguments.table)
    if arguments.only:
        faults = [f for f in faults if f.half in OPEN and arguments.only in f.repository]
    elif arguments.half:
        faults = [fault for fault in faults if fault.half == arguments.half]
    selected = tuple(filter(None, arguments.codes.split(",")))
    if selected:
        faults = [f for f in faults if any(code.startswith(selected) for code in f.codes)]
    judged: dict[tuple[str, bool], list[tuple[Fault, Verdict]]] = defaultdict(list)
    for group in _together(faults):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder, group[0].repository.rpartition("/")[2]).resolve()
            tree.mkdir()
            take_out(mirror(arguments.mirrors, group[0].repository), group[0].parent, tree)
            verdicts = judge_within(tree, group, arguments.limit)
        for fault, verdict in zip(group, verdicts, strict=True):
            judged[fault.half, fault.rooted].append((fault, verdict))
            if fault.half in OPEN:
                print(f"{'found ' if verdict.found else 'MISSED'} {fault}", flush=True)
                if not verdict.found:
                    print(f"       {fault.note}\n       {verdict.reason}", flush=True)
                    if fault.disputed:
                        print(f"       disputed: {fault.disputed}", flush=True)
    for half in HALVES:
        if any(fault.half == half for fault in faults):
            print(f"{half}:")
            print(_share("what makes them faults is in the repository", judged[half, True]))
            print(_share("it is elsewhere", judged[half, False]))
    rooted = [verdict for half in HALVES for _, verdict in judged[half, True]]
    return 1 if sum(verdict.found for verdict in rooted) < BAR * len(rooted) else 0


if __name__ == "__main__":
    sys.exit(main())

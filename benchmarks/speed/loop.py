"""What people wait for: the answer after one edit, and that about a few files of a project."""

from __future__ import annotations

import random
import re
import shutil
import statistics
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from benchmarks.edits import bodies, surfaces, trivia  # noqa: F401 - they fill the list of kinds
from benchmarks.edits.kinds import KINDS
from benchmarks.edits.runs import read, write
from benchmarks.edits.sources import Files, parsed
from benchmarks.speed.cold import copied
from benchmarks.speed.measuring import ROOT, Table

REMARK_LIMIT = 0.08
BODY_LIMIT = 0.20
WORST_BODY_LIMIT = 0.60
#: for a function, method, field or import that is added, which no design has set a bar for
NAME_LIMIT = 0.20
LEAF_LIMIT = 0.15
FILE_LIMIT = 0.50
WORST_FILE_LIMIT = 1.05
TUTORIALS_LIMIT = 0.03
#: ``verify`` of a few files, against ``check`` of them and twice ``verify`` of a project of them
VERIFY_LIMIT = 1.0

_REMARKS = (
    "comment appended",
    "comment at the end of a line",
    "blank lines put in",
    "comment inside a function",
    "comment above a definition",
)
_BODIES = (
    "number changed",
    "fault put in",
    "local renamed",
    "statement removed",
    "operator changed",
)
_NAMES = ("function added", "method added", "import added", "class attribute added")
#: by what is edited, the kinds of edits
_SORTS = {"remark": _REMARKS, "body": _BODIES, "name": _NAMES}
_TRACED = re.compile(r"\bjax\b")
_TUTORIALS = "fixtures/tutorials"


def by_use(files: Files) -> Counter[str]:
    """The modules that mention JAX, with how many other modules import something of their name."""
    words = Counter(
        word
        for name, text in files.items()
        if name.endswith(".py")
        for word in {*re.findall(r"\w+", " ".join(re.findall(r".*\bimport\b.*", text)))}
    )
    found: Counter[str] = Counter()
    for name, text in files.items():
        path = Path(name)
        if path.suffix == ".py" and _TRACED.search(text) and parsed(text) and len(text) > 1000:
            found[name] = words[path.parent.name if path.stem == "__init__" else path.stem]
    return found


def _compiles(text: str) -> bool:
    """Whether a text is Python: some names that are bound twice only the compiler refuses."""
    try:
        compile(text, "<edited>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def add_edits(table: Table, tree: Path, count: int, seed: int = 1) -> None:
    """Measure the command with a cache after one edit, and after another, and so on.

    Half of the edits are in the files that most others import.

    Args:
      table: takes the rows.
      tree: a folder with Python files.
      count: how many edits that mean nothing, how many of the bodies of functions, and how many
        that add a name.
      seed: of the choices.
    """
    rng = random.Random(seed)
    ratios: dict[tuple[str, str], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = copied(tree, Path(folder))
        files = read(root)
        used = by_use(files)
        core = [name for name, _ in used.most_common(max(5, len(used) // 10))]
        caches = {linter.name: Path(folder) / f"cache-{linter.name}" for linter in table.linters}
        cold = {
            linter.name: statistics.median(linter.check(root).seconds for _ in range(2))
            for linter in table.linters
        }
        for linter in table.linters:
            linter.check(root, cache=caches[linter.name])
        for turn, (sort, kinds) in product(range(count), _SORTS.items()):
            edited = None
            while edited is None or edited == files:
                name = rng.choice(list(used) if turn % 2 else core)
                one = KINDS[rng.choice(kinds)].edit(rng, {name: files[name]})
                if one is not None and one.keys() == {name} and _compiles(one[name]):
                    edited = {**files, **one}
            write(root, files, edited)
            files = edited
            for linter in table.linters:
                seconds = linter.check(root, cache=caches[linter.name]).seconds
                ratios.setdefault((linter.name, sort), []).append(seconds / cold[linter.name])

    def of(what: str, rows: Sequence[float] | None = None) -> Mapping[str, Sequence[float]]:
        return {linter.name: ratios[linter.name, what] for linter in table.linters}

    def median(found: Mapping[str, Sequence[float]]) -> dict[str, float]:
        return {name: statistics.median(each) for name, each in found.items()}

    said = f"{tree.name}, {count} edits"
    table.add(f"{said} of a comment or a blank line / cold", REMARK_LIMIT, median(of("remark")))
    table.add(f"{said} of a function's body / cold", BODY_LIMIT, median(of("body")))
    worst = {name: max(each) for name, each in of("body").items()}
    table.add(f"{said} of a function's body, the worst / cold", WORST_BODY_LIMIT, worst)
    table.add(f"{said} that add a name / cold", NAME_LIMIT, median(of("name")))
    worst = {name: max(each) for name, each in of("name").items()}
    table.add(f"{said} that add a name, the worst / cold", WORST_BODY_LIMIT, worst)


def add_files(table: Table, tree: Path, count: int, seed: int = 1) -> None:
    """Measure ``check FILE`` without a cache.

    Args:
      table: takes the rows.
      tree: a folder with Python files.
      count: how many files that others import, and how many that nobody does.
      seed: of the choice.
    """
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        root = copied(tree, Path(folder))
        used = by_use(read(root))
        leaves = [name for name, uses in used.items() if not uses]
        others = [name for name, uses in used.items() if uses]
        some = rng.sample(leaves, min(count, len(leaves)))
        rest = rng.sample(others, min(count, len(others)))
        rest = [*{*rest, *(name for name, _ in used.most_common(2))}]
        ratios: dict[str, tuple[list[float], list[float]]] = {}
        for linter in table.linters:
            cold = statistics.median(linter.check(root).seconds for _ in range(2))
            found = ratios[linter.name] = ([], [])
            for names, into in zip((some, rest), found, strict=True):
                into += [linter.check(root, name).seconds / cold for name in sorted(names)]
    for what, bar, choose in (
        ("one file that nothing imports, the median", LEAF_LIMIT, lambda a, b: a),
        ("one file, the median", FILE_LIMIT, lambda a, b: [*a, *b]),
    ):
        rows = {name: choose(*found) for name, found in ratios.items()}
        if all(rows.values()):
            middles = {name: statistics.median(each) for name, each in rows.items()}
            table.add(f"{tree.name}: {what} / cold", bar, middles)
    worst = {name: max([*a, *b]) for name, (a, b) in ratios.items()}
    table.add(f"{tree.name}: one file, the worst / cold", WORST_FILE_LIMIT, worst)


def add_tutorials(table: Table, *, verify: bool) -> None:
    """Measure a few files that nothing imports in a large repository: this one.

    Args:
      table: takes the rows.
      verify: whether they are run under JAX as well.
    """
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    shares: dict[str, float] = {}
    verified: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "repository"
        for name in listed:
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, root / name)
        alone = copied(root / _TUTORIALS, Path(folder) / "alone")
        for linter in table.linters:
            everything = linter.check(root).seconds
            few = linter.check(root, _TUTORIALS).seconds
            print(f"  {linter.name}: {few:.2f} s of {everything:.2f}", flush=True)
            shares[linter.name] = few / everything
            if verify:
                shutil.rmtree(root / ".jitlint_cache", ignore_errors=True)
                all_here = linter.run(root, "verify", _TUTORIALS).seconds
                own = linter.run(alone, "verify").seconds
                print(f"  {linter.name}: verify {all_here:.2f} s, alone {own:.2f} s", flush=True)
                verified[linter.name] = all_here / (few + 2 * own)
    table.add(f"{_TUTORIALS} / the repository, cold", TUTORIALS_LIMIT, shares)
    if verify:
        what = f"verify {_TUTORIALS} / (check + 2 x verify of these alone)"
        table.add(what, VERIFY_LIMIT, verified)

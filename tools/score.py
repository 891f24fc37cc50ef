"""How many labelled places jitlint finds, and how many of its reports are false.

    python -m tools.score [PROGRAM ...]
    python -m tools.score --gaps reach > tests/reach/known_gaps.txt

prints found, missed and false reports of every test program and of all together.  Each program is
linted by itself, as if it were a project; its cases lie elsewhere and are no call sites.

There are four families of programs: those in ``tests/programs`` were written from the rules, those
in ``tests/reach`` from what keeps an analysis from getting to a fault, those in ``tests/catalogue``
before their rules existed, those in ``tests/inputs`` for what their functions have to be given.  A
folder of the second is one such reason, of the third one rule.  What is not right there yet is
listed in ``known_gaps.txt``, exactly.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Diagnostic, Severity
from jitlint.foundation.certainty import GUESSED
from tools.labels.comments import program_document, program_files, read_program_labels

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
PROGRAMS = TESTS / "programs"
FIXTURES = ROOT / "fixtures"
FIXTURE_CASES = FIXTURES / "cases"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a report stands or is due."""

    file: str
    row: int
    code: str

    def __str__(self) -> str:
        return f"{self.file}:{self.row} {self.code}"


@dataclass(frozen=True, slots=True)
class Score:
    """The outcome of one program."""

    name: str
    found: tuple[Place, ...]
    missed: tuple[Place, ...]
    false: tuple[Place, ...]

    @property
    def labels(self) -> int:
        """How many places are due."""
        return len(self.found) + len(self.missed)

    @property
    def reports(self) -> int:
        """How many places are reported."""
        return len(self.found) + len(self.false)


@dataclass(frozen=True, slots=True)
class Family:
    """Test programs that were written together.

    Args:
      root: the folder with the programs and their cases.
      pattern: how programs lie below ``root / "programs"``, one folder each.
      advice: codes of the infos that are labelled too; all others are left out.
    """

    root: Path
    pattern: str
    advice: frozenset[str] = frozenset()

    @property
    def known_gaps(self) -> Path:
        """The file that lists what is not right yet."""
        return self.root / "known_gaps.txt"

    def programs(self) -> list[Path]:
        """The programs, sorted."""
        found = (self.root / "programs").glob(self.pattern)
        return [path for path in sorted(found) if any(program_files(path))]

    def holds(self, program: Path) -> bool:
        """Whether a program is one of this family."""
        return program.is_relative_to(self.root / "programs")

    def name(self, program: Path) -> str:
        """What a program is called: its folder, below that of a reason or a rule."""
        return program.relative_to(self.root / "programs").with_suffix("").as_posix()

    def cases(self, program: Path) -> Path:
        """The cases file of a program."""
        return self.root / "program_cases" / f"{self.name(program)}.py"


BLIND = Family(TESTS, "*")
REACH = Family(TESTS / "reach", "*/*")
CATALOGUE = Family(TESTS / "catalogue", "*/*", frozenset({"JIT314", "JIT404"}))
INPUTS = Family(TESTS / "inputs", "*.py")
FAMILIES = (BLIND, REACH, CATALOGUE, INPUTS)


def programs() -> list[Path]:
    """The blind test programs, one folder each."""
    return BLIND.programs()


def fixture_modules() -> list[Path]:
    """The fixture modules; each is a project of its own."""
    return [
        path
        for folder in sorted(FIXTURES.iterdir())
        if folder.is_dir() and folder != FIXTURE_CASES
        for path in sorted(folder.glob("*.py"))
    ]


def program_cases(program: Path) -> Path:
    """The cases file of a test program."""
    return next(family.cases(program) for family in FAMILIES if family.holds(program))


def fixture_cases(module: Path) -> Path:
    """The cases file of a fixture module."""
    return FIXTURE_CASES / module.parent.name / module.name


def expected_places(program: Path) -> list[Place]:
    """The labelled places of a program, sorted."""
    root = program if program.is_dir() else program.parent
    places = []
    for path, labels in read_program_labels(program).items():
        document = program_document(path)
        for label in labels:
            cell, row, _ = document.origin(label.row, 1)
            places.append(Place(_file(path.relative_to(root), cell), row, label.code))
    return sorted(places)


def _file(path: Path, cell: int | None) -> str:
    return path.as_posix() if cell is None else f"{path.as_posix()}[{cell}]"


def reported_places(program: Path) -> list[Place]:
    """What jitlint reports in a program (errors, warnings, guesses, labelled infos), sorted."""
    root = program if program.is_dir() else program.parent
    advice = next((family.advice for family in FAMILIES if family.holds(program)), frozenset())
    places = []
    for diagnostic in _diagnostics(root):
        known = diagnostic.certainty == GUESSED or diagnostic.code in advice
        if diagnostic.severity < Severity.WARNING and not known:
            continue
        path = Path(root, diagnostic.filename)
        if path != program and root != program:
            continue
        # The engine counts rows of the Python in a document.
        cell, row, _ = program_document(path).origin(diagnostic.location.row, 1)
        places.append(Place(_file(path.relative_to(root), cell), row, diagnostic.code))
    return sorted(places)


@cache
def _diagnostics(root: Path) -> Sequence[Diagnostic]:
    """What is reported in a folder: programs of one file each share theirs."""
    return analyze(root=root, targets=[root], options=AnalysisOptions()).diagnostics


def score(program: Path) -> Score:
    """Compare the reports in a program with its labels; a place may be due more than once."""
    program = program.resolve()
    due, reported = Counter(expected_places(program)), Counter(reported_places(program))
    return Score(
        name=_name(program),
        found=tuple(sorted((due & reported).elements())),
        missed=tuple(sorted((due - reported).elements())),
        false=tuple(sorted((reported - due).elements())),
    )


def _name(program: Path) -> str:
    return next((one.name(program) for one in FAMILIES if one.holds(program)), program.name)


def gaps(scores: Iterable[Score]) -> list[str]:
    """What is missed or false, a line each."""
    lines: list[str] = []
    for one in scores:
        lines += [f"missed {one.name} {place}" for place in one.missed]
        lines += [f"false {one.name} {place}" for place in one.false]
    return lines


def total(scores: Iterable[Score], name: str = "total") -> Score:
    """All scores as one."""
    scores = list(scores)
    return Score(
        name=name,
        found=tuple(place for one in scores for place in one.found),
        missed=tuple(place for one in scores for place in one.missed),
        false=tuple(place for one in scores for place in one.false),
    )


def table(scores: Sequence[Score]) -> str:
    """The scores as text, with every missed and false place below its program."""
    width = max(len(one.name) for one in [*scores, total([])])
    lines = [f"{'program':{width}}  labels  found  missed  false"]
    for one in scores:
        lines.append(_row(one, width))
        lines += [f"{'':{width}}    missed {place}" for place in one.missed]
        lines += [f"{'':{width}}    false  {place}" for place in one.false]
    for reason, group in groupby(scores, lambda one: one.name.rpartition("/")[0]):
        if reason:
            lines.append(_row(total(group, reason), width))
    all_of_them = total(scores)
    lines.append(_row(all_of_them, width))
    lines.append(summary(all_of_them))
    return "\n".join(lines)


def _row(one: Score, width: int) -> str:
    return (
        f"{one.name:{width}}  {one.labels:6}  {len(one.found):5}"
        f"  {len(one.missed):6}  {len(one.false):5}"
    )


def summary(one: Score) -> str:
    """The two shares that count."""
    found = len(one.found) / one.labels if one.labels else 1.0
    false = len(one.false) / one.reports if one.reports else 0.0
    return f"found {found:.1%} of {one.labels} labels; {false:.1%} of {one.reports} reports false"


def main(arguments: Sequence[str]) -> int:
    """Print the table of the named programs (folders or names), or one for each family."""
    if arguments[:1] == ["--gaps"]:
        family = next(one for one in FAMILIES if [one.root.name] == arguments[1:])
        sys.stdout.writelines(f"{gap}\n" for gap in gaps(map(score, family.programs())))
        return 0
    chosen = [Path(name) if Path(name).exists() else PROGRAMS / name for name in arguments]
    for shown in [chosen] if chosen else [family.programs() for family in FAMILIES]:
        sys.stdout.write(table([score(path) for path in shown]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Faults in a copy of a package and its driver, and what the analysis says of them."""

from __future__ import annotations

import ast
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.foundation.deep_stack import with_deep_stack
from jitlint.imports.test_files import is_test_file
from tools.injection.hazards import Hazard, Insertion, first_row, insert
from tools.injection.recording import DRIVER_FILE, Function, Recording
from tools.injection.rounds import rounds

#: how far a function is from the transform, in words, the nearest first
DISTANCES = ("driver", "entry", "one call away", "deeper")


def distance(function: Function) -> str:
    """How far a function is from the transform."""
    return DISTANCES[0] if function.in_driver else DISTANCES[1 + min(function.distance, 2)]


@dataclass(frozen=True, slots=True)
class Injection:
    """A fault that was put into a function.

    Args:
      hazard: its name.
      number: the function's, in the recording.
      parameter: what it is about.
      found: whether it was reported.
    """

    hazard: str
    number: int
    parameter: str
    found: bool


class Project:
    """A package and its driver as a project that is linted; the texts of files may be replaced.

    Args:
      root: holds a copy of the package's Python files, and the driver.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._texts: dict[str, str] = {}
        self._rows: dict[str, dict[tuple[int, str], int]] = {}

    def relative(self, filename: str) -> str:
        """The name of a file as a recording has it."""
        return Path(filename).relative_to(self.root).as_posix()

    def rows(self, function: Function) -> tuple[int, ...]:
        """The rows that a function may be said to stand in: where it begins, and its name."""
        if function.file not in self._rows:
            self._rows[function.file] = {
                (first_row(node), node.name): node.lineno
                for node in ast.walk(ast.parse(self.text(function.file)))
                if isinstance(node, ast.FunctionDef)
            }
        named = self._rows[function.file].get((function.row, function.name))
        return (function.row,) if named is None else (named, function.row)

    def text(self, file: str) -> str:
        """The text of a file as it is."""
        if file not in self._texts:
            self._texts[file] = (self.root / file).read_text(encoding="utf-8")
        return self._texts[file]

    def analyze(self, overlays: dict[Path, str] | None = None, *, tests: bool = True) -> Analysis:
        """Lint the project, with the package's own tests or without."""

        def run() -> Analysis:
            options = AnalysisOptions(listing=not overlays, omissions=not overlays)
            exclude = None if tests else is_test_file
            found = analyze(
                self.root, [self.root], options=options, overlays=overlays or {}, exclude=exclude
            )
            if not overlays:
                # Located here, where recursion may go deep.
                found.traced, found.omissions  # noqa: B018
            return found

        return with_deep_stack(run)


@contextmanager
def project(folder: Path, driver: Path) -> Iterator[Project]:
    """A copy of a package beside its driver, for as long as the context is open.

    Args:
      folder: of the package.
      driver: the driver's file.
    """
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        for path in folder.rglob("*.py"):
            target = root / folder.name / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        shutil.copyfile(driver, root / DRIVER_FILE)
        yield Project(root)


def inject(
    project: Project,
    recording: Recording,
    hazard: Hazard,
    *,
    only: Collection[int] | None = None,
    alone: bool = False,
) -> list[Injection]:
    """Put a fault into every function in which it would happen.

    Args:
      project: where.
      recording: tells in which functions.
      hazard: which fault.
      only: numbers of functions, for some of them.
      alone: each in an analysis of its own.

    Returns:
      What came of each, in the order of the recording.
    """
    parameters = {
        number: parameter
        for number, function in enumerate(recording.functions)
        if (only is None or number in only)
        and (parameter := hazard.parameter(function)) is not None
    }
    if alone:
        groups = [[number] for number in parameters]
    else:
        groups = rounds(recording.functions, parameters)
    found: dict[int, bool] = {}
    for group in groups:
        found.update(_inject(project, recording, hazard, {n: parameters[n] for n in group}))
    return [
        Injection(hazard.name, number, parameters[number], found[number])
        for number in sorted(found)
    ]


def _inject(
    project: Project, recording: Recording, hazard: Hazard, parameters: dict[int, str]
) -> dict[int, bool]:
    """Which of the faults are reported that are put in at once."""
    by_file: dict[str, list[tuple[int, Insertion]]] = {}
    for number, parameter in parameters.items():
        function = recording.functions[number]
        insertion = Insertion(function.row, function.name, hazard.statement.format(parameter))
        by_file.setdefault(function.file, []).append((number, insertion))
    overlays: dict[Path, str] = {}
    places: dict[tuple[str, int], int] = {}
    for file, numbered in by_file.items():
        insertions = [insertion for _, insertion in numbered]
        text, rows = insert(project.text(file), insertions, hazard.footer)
        overlays[project.root / file] = text
        for number, insertion in numbered:
            if insertion in rows:
                places[str(project.root / file), rows[insertion]] = number
    reported = {
        (item.filename, item.location.row)
        for item in project.analyze(overlays).diagnostics
        if item.code == hazard.code
    }
    return {number: place in reported for place, number in places.items()}


def agreement(together: Sequence[Injection], alone: Sequence[Injection]) -> tuple[int, int]:
    """How many of the faults that were put in alone came out as they did with others.

    Returns:
      How many agree, of how many.
    """
    known = {injection.number: injection.found for injection in together}
    same = sum(known[injection.number] == injection.found for injection in alone)
    return same, len(alone)

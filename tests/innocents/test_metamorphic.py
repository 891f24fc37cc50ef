"""True reports go where something that is not followed may have changed what they rest on.

In a copy of a program an operation is put between where an object is made and where the report says
that something of it is wrong: the name of an attribute that nobody knows, a stranger that is given
the object; or a decorator of which nothing is known is put on the function.  What is not known any
more is not reported.  What a stranger cannot change stays: a frozen object, an array, a local name.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Diagnostic, Severity
from tools import score
from tools.labels.comments import program_files

#: operations on an object, of which nothing says what they change
OPERATIONS = {
    "computed name": "for _key, _value in unknown_settings.items(): setattr({name}, _key, _value)",
    "namespace": "vars({name}).update(unknown_settings)",
    "stranger": "unknown_stranger({name})",
}
#: rules for which what an object holds is not the cause: the kind of a container, what comes later
_OTHER_CAUSES = {"JIT107", "JIT111", "JIT202", "JIT205", "JIT212", "JIT214", "JIT310"}


@dataclass(frozen=True)
class Mutant:
    """A fixture with an operation put in.

    Args:
      module: the fixture.
      operation: what is put in.
      row: above which row, from 1.
      line: the operation as a line of the program.
      place: the report that is due to go.
    """

    module: Path
    operation: str
    row: int
    line: str
    place: tuple[int, str]

    def __str__(self) -> str:
        return f"{self.module.parent.name}/{self.module.stem}:{self.place[0]}-{self.operation}"


def _lint(text: str, folder: Path) -> list[Diagnostic]:
    root = folder.resolve()
    (root / "module.py").write_text(text, encoding="utf-8")
    found = analyze(root=root, targets=[root], options=AnalysisOptions()).diagnostics
    return [one for one in found if one.severity >= Severity.WARNING]


def _mutants(module: Path) -> Iterator[Mutant]:
    text = module.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    plain = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.decorator_list and not node.bases
    }
    for place in score.expected_places(module):
        around = [f for f in functions if f.lineno <= place.row <= (f.end_lineno or 0)]
        if not around:
            continue
        due = place.row, place.code
        inner = max(around, key=lambda function: function.lineno)
        for name, made in _objects(inner, place.row, plain):
            # In a trace, where what is made is not older than it.
            row, indent = (made.end_lineno or made.lineno) + 1, " " * made.col_offset
            for operation, template in OPERATIONS.items():
                if isinstance(made.value, ast.Call) or operation == "stranger":
                    yield Mutant(module, operation, row, indent + template.format(name=name), due)
        outer = min(around, key=lambda function: function.lineno)
        # What marks a test does not trace it.
        marks = ["pytest.mark" in ast.unparse(one) for one in outer.decorator_list]
        traced = bool(marks) and not any(marks)
        if traced and outer.col_offset == 0 and place.code.startswith("JIT1"):
            yield Mutant(module, "decorator", outer.lineno, "@unknown_decorator", due)


def _objects(
    function: ast.FunctionDef, row: int, classes: Collection[str]
) -> Iterator[tuple[str, ast.Assign]]:
    """What statements of a function make above a row that anybody can change, by name."""
    for statement in function.body:
        if not isinstance(statement, ast.Assign) or (statement.end_lineno or row) >= row:
            continue
        target, value = statement.targets[0], statement.value
        if isinstance(value, ast.Call):
            changes = isinstance(value.func, ast.Name) and value.func.id in classes
        else:
            changes = isinstance(value, (ast.Dict, ast.List))
        if changes and isinstance(target, ast.Name):
            yield target.id, statement


@cache
def _reported_alone(module: Path, folder: Path) -> dict[tuple[int, str], str]:
    """What is reported in a fixture by itself, and the code at fault."""
    text = module.read_text(encoding="utf-8")
    lines = text.splitlines()
    return {
        (one.location.row, one.code): lines[one.location.row - 1][
            one.location.column - 1 : one.end_location.column - 1
        ]
        for one in _lint(text, folder)
    }


def _is_about(mutant: Mutant, fault: str, lines: Sequence[str]) -> bool:
    """Whether the code at fault is part of the object, and no method that computes something.

    What is set after the operation nobody else has changed.
    """
    if mutant.operation == "decorator":
        return True
    if mutant.place[1] in _OTHER_CAUSES:
        return False
    name = re.search(r"(?:setattr|vars|unknown_stranger)\((\w+)", mutant.line)
    if name is None or re.match(rf"{name[1]}(?:\.\w+(?!\w*\()|\[)", fault) is None:
        return False
    between = lines[mutant.row - 1 : mutant.place[0] - 1]
    return not any(re.match(rf"\s*{name[1]}(?:\.\w+|\[[^=]*\])\s*=(?!=)", row) for row in between)


def _modules() -> list[Path]:
    programs = [program for family in score.FAMILIES for program in family.programs()]
    files = [path for program in programs for path in program_files(program)]
    return [*score.fixture_modules(), *(path for path in files if path.suffix == ".py")]


def _mutated(lines: Sequence[str], mutants: Sequence[Mutant]) -> str:
    """A fixture with the operations of several mutants put in."""
    rows = {mutant.row: mutant.line for mutant in mutants}
    made = [*lines]
    for row in sorted(rows, reverse=True):
        made.insert(row - 1, rows[row])
    return "\n".join(made) + "\n"


MUTANTS = [mutant for module in _modules() for mutant in _mutants(module)]


def test_there_are_enough_of_each_kind() -> None:
    count = Counter(mutant.operation for mutant in MUTANTS)
    assert count["decorator"] >= 300, count
    assert all(count[operation] >= 5 for operation in OPERATIONS), count


@pytest.mark.parametrize("module", sorted({m.module for m in MUTANTS}), ids=lambda p: p.stem)
def test_what_may_have_changed_is_not_reported(
    module: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    alone = _reported_alone(module, tmp_path_factory.mktemp("alone"))
    lines = module.read_text(encoding="utf-8").splitlines()
    due: dict[tuple[object, ...], list[Mutant]] = {}
    for mutant in (m for m in MUTANTS if m.module == module):
        fault = alone.get(mutant.place)
        if fault is None or not _is_about(mutant, fault, lines):
            continue
        # Functions are all decorated in one copy: what is wrong with one rests on its own.
        apart = () if mutant.operation == "decorator" else (mutant.row, mutant.line)
        due.setdefault((mutant.operation, *apart), []).append(mutant)
    wrong = []
    for mutants in due.values():
        text = _mutated(lines, mutants)
        found = {(one.location.row, one.code) for one in _lint(text, tmp_path)}
        rows = sorted({mutant.row for mutant in mutants})
        for mutant in mutants:
            row, code = mutant.place
            if (row + bisect_right(rows, row), code) in found:
                wrong.append(str(mutant))
    assert not wrong, "\n".join(wrong)

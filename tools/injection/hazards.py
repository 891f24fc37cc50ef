"""The faults, and how they are put into a file without moving anything else about."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tools.injection.recording import OLDER, Function

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
#: how JAX names the trace of a transform that keeps what it traced
_CACHED = "DynamicJaxprTrace"


def _always(_: Function) -> bool:
    return True


def _has_older_receiver(function: Function) -> bool:
    return OLDER in function.parameters.get("self", "")


def _is_cached(function: Function) -> bool:
    return _CACHED in function.transforms


@dataclass(frozen=True, slots=True)
class Hazard:
    """A fault that certainly happens where a parameter is a bare tracer without a value.

    Args:
      name: in a word.
      statement: the code on one line; ``{}`` is the parameter.
      code: the rule that is to report it.
      happens: whether it does so in a function, apart from what all hazards need.
      footer: what it needs at the end of the file.
    """

    name: str
    statement: str
    code: str
    happens: Callable[[Function], bool] = _always
    footer: str = ""

    def parameter(self, function: Function) -> str | None:
        """The parameter that it is about, None where it would not happen."""
        if not self.happens(function) or function.name == "<lambda>":
            return None
        return next(iter(function.abstract), None)


HAZARDS: Mapping[str, Hazard] = {
    hazard.name: hazard
    for hazard in (
        Hazard("branch", "if {}.sum() > 0: pass", "JIT101"),
        Hazard("float", "float({}.sum())", "JIT105"),
        Hazard("numpy", "import numpy as np_; np_.sin({})", "JIT106"),
        Hazard("mask", "{0}[{0} > 0]", "JIT109"),
        Hazard("append", "INJECTED_.append({})", "JIT202", footer="INJECTED_ = []"),
        Hazard("attribute", "self.injected_ = {}", "JIT204", _has_older_receiver),
        Hazard("print", "print({})", "JIT201", _is_cached),
    )
}


@dataclass(frozen=True, slots=True)
class Insertion:
    """A statement at the start of a function.

    Args:
      row: of the function's first line, decorators included.
      name: of the function.
      statement: what is inserted, on one line.
    """

    row: int
    name: str
    statement: str


def insert(
    text: str, insertions: Iterable[Insertion], footer: str = ""
) -> tuple[str, dict[Insertion, int]]:
    """Put statements into functions, behind their docstrings.

    Args:
      text: a module.
      insertions: at most one for each function.
      footer: a statement for the module's end.

    Returns:
      The new text, and the row in which each statement stands; those whose function is not there
      have none.
    """
    functions: dict[tuple[int, str], list[_FunctionNode]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _FunctionNode):
            functions.setdefault((first_row(node), node.name), []).append(node)
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    places: list[tuple[_Place, Insertion]] = []
    for insertion in insertions:
        found = functions.get((insertion.row, insertion.name), ())
        place = _start(found[0], lines) if len(found) == 1 else None
        if place is not None:
            places.append((place, insertion))
    places.sort(key=lambda item: item[0].row)
    # The last first, so that no place moves before its turn.
    for place, insertion in reversed(places):
        new = [f"{place.indent}{insertion.statement}\n"]
        if place.column is not None:
            line = lines.pop(place.row - 1)
            new = [f"{line[: place.column]}\n", *new, f"{place.indent}{line[place.column :]}"]
        lines[place.row - 1 : place.row - 1] = new
    rows = {}
    added = 0
    for place, insertion in places:
        rows[insertion] = place.row + added + (place.column is not None)
        added += 1 if place.column is None else 2
    return "".join(lines) + (f"{footer}\n" if footer else ""), rows


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a statement is put.

    Args:
      row: before which row.
      indent: how far it is indented.
      column: where that row is split into two, as it begins with the ``def``; else None.
    """

    row: int
    indent: str
    column: int | None = None


def first_row(node: ast.stmt) -> int:
    """The row in which a statement begins, decorators included."""
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _start(node: _FunctionNode, lines: Sequence[str]) -> _Place | None:
    """Where the first statement behind the docstring begins, None where that is not plain."""
    first, *others = node.body
    documented = ast.get_docstring(node, clean=False) is not None
    target = others[0] if documented and others else first
    row = first_row(target)
    before = lines[row - 1][: target.col_offset].rstrip("@")
    if before.strip():
        header = lines[node.lineno - 1]
        indent = header[: len(header) - len(header.lstrip())] + "    "
        plain = not documented and row == node.lineno
        return _Place(row, indent, target.col_offset) if plain else None
    if target is first and documented:
        assert first.end_lineno is not None
        return _Place(first.end_lineno + 1, before)
    return _Place(row, before)

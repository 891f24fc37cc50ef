"""The faults, and how they are put into a file without moving anything else about."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
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
    places = []
    for insertion in insertions:
        found = functions.get((insertion.row, insertion.name), ())
        if len(found) == 1:
            places.append((_start(found[0]), insertion))
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    # The last first, so that no place moves before its turn.
    ordered = sorted(places, key=lambda place: place[0], reverse=True)
    added: dict[Insertion, tuple[int, int]] = {}
    for (row, column), insertion in ordered:
        line = lines[row - 1]
        before, after = line[:column], line[column:]
        if not before.strip():
            lines[row - 1 : row] = [f"{before}{insertion.statement}\n", line]
            added[insertion] = row, 1
        else:
            indent = " " * (len(line) - len(line.lstrip()) + 4)
            new = [f"{before.rstrip(' ;')}\n", f"{indent}{insertion.statement}\n"]
            lines[row - 1 : row] = [
                *new,
                f"{indent}{after}" if after.strip() else f"{indent}pass\n",
            ]
            added[insertion] = row + 1, 2
    rows = {}
    shift = 0
    for _, insertion in reversed(ordered):
        row, count = added[insertion]
        rows[insertion] = row + shift
        shift += count
    return "".join(lines) + (f"{footer}\n" if footer else ""), rows


def first_row(node: _FunctionNode) -> int:
    """The row in which a function begins, decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _start(node: _FunctionNode) -> tuple[int, int]:
    """Where the first statement behind the docstring begins: row, and column from 0."""
    first, *others = node.body
    if ast.get_docstring(node, clean=False) is None:
        return _position(first)
    if others:
        return _position(others[0])
    assert first.end_lineno is not None and first.end_col_offset is not None
    return first.end_lineno, first.end_col_offset


def _position(statement: ast.stmt) -> tuple[int, int]:
    decorators = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(d.lineno for d in decorators)]), statement.col_offset

"""What a failed call shows: the arrays, the statement and the condition where it ended.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import FrameType
from typing import Any

from jitlint.verify.driving.growing.placeholders import Placeholder
from jitlint.verify.recording.exceptions import steps
from jitlint.verify.recording.sites import Span

Shape = tuple[int, ...]

_SHAPE = re.compile(
    r"\(((?:\d+,?\s*)*)\)|\b(?:\w*(?:float|int|bool|uint|complex)\d*|f\d+|i\d+)\[([\d,]*)\]"
)
_MOST_SHAPES = 24


class UnknownError(LookupError):
    """An expression whose value is not known."""


@dataclass(frozen=True)
class Trouble:
    """Where and how a call ended.

    Args:
      error: the exception.
      text: what it says.
      frames: those of its traceback, the innermost first.
      own: the innermost one of the user's code.
      statement: what ran there.
      condition: what led to it where it was raised on purpose.
      before: the statements of the function that bind names.
      span: the rows and columns of the expression that was running.
      place: how far each frame of the user's code had come, the outermost first.
    """

    error: BaseException
    text: str
    frames: tuple[FrameType, ...]
    own: FrameType | None
    statement: ast.stmt | None
    condition: ast.expr | None
    before: tuple[ast.stmt, ...] = ()
    span: Span = (0, 0, 0, 0)
    place: tuple[int, ...] = ()

    @property
    def shapes(self) -> list[Shape]:
        """The shapes that the message mentions."""
        found = []
        for match in _SHAPE.finditer(self.text):
            words = (match[1] if match[1] is not None else match[2]).replace(",", " ").split()
            found.append(tuple(int(word) for word in words))
        return found

    @property
    def numbers(self) -> list[int]:
        """The numbers that it mentions."""
        return [int(word) for word in re.findall(r"(?<![\w.])\d+(?![\w.]*\d*\.\d)", self.text)]

    def values(self) -> Iterator[Any]:
        """Arrays and placeholders near the end, the likeliest first."""
        seen: set[int] = set()
        for frame in self.frames:
            if frame is self.own:
                break
            for value in frame.f_locals.values():
                yield from _arrays(value, seen)
        if self.own is not None and self.statement is not None:
            for node in self._sources():
                try:
                    yield from _arrays(evaluate(node, self.own), seen)
                except UnknownError:
                    continue

    def subscripts(self) -> Iterator[Any]:
        """What serves as a subscript in the failed statement, or a part of it."""
        for node in ast.walk(self.statement) if self.statement is not None else ():
            if isinstance(node, ast.Subscript):
                for part in ast.walk(node.slice):
                    if isinstance(part, ast.expr):
                        with contextlib.suppress(UnknownError):
                            yield self.evaluated(part)

    def constants(self) -> list[int]:
        """The whole numbers that the failed statement mentions, as such or by name."""
        found: list[int] = []
        for node in self._sources() if self.statement is not None else ():
            try:
                value = self.evaluated(node)
            except UnknownError:
                continue
            if type(value) is int:
                found.append(value)
        return list(dict.fromkeys(found))

    def _sources(self) -> Iterator[ast.expr]:
        """The expressions of the statement, then those that its names were made of.

        What was running comes first.
        """
        assert self.statement is not None
        everything = [*_expressions(self.statement)]
        running = [node for node in everything if _within(node, self.span)]
        names: set[str] = set()
        for part in (running, everything):
            names |= {node.id for node in part if isinstance(node, ast.Name)}
            yield from part
            for made in reversed(self.before):
                bound = {
                    n.id for t in _targets(made) for n in ast.walk(t) if isinstance(n, ast.Name)
                }
                if made.lineno < self.statement.lineno and bound & names:
                    inner = [*_expressions(made)]
                    names |= {node.id for node in inner if isinstance(node, ast.Name)}
                    yield from inner

    def evaluated(self, node: ast.expr) -> Any:
        """The value of an expression where the call ended.

        Raises:
          UnknownError: it is none of those that may be evaluated without harm.
        """
        if self.own is None:
            raise UnknownError
        return evaluate(node, self.own)


def trouble(error: BaseException, trees: Mapping[str, ast.Module]) -> Trouble:
    """What a failed call shows.

    Args:
      error: what ended it.
      trees: the user's modules, by file.
    """
    frames = [(step.tb_frame, step.tb_lineno, step.tb_lasti) for step in steps(error)]
    place = tuple(at for frame, _, at in frames if frame.f_code.co_filename in trees)
    frames.reverse()
    own: FrameType | None = None
    statement: ast.stmt | None = None
    condition: ast.expr | None = None
    before: tuple[ast.stmt, ...] = ()
    span: Span = (0, 0, 0, 0)
    for frame, row, instruction in frames:
        tree = trees.get(frame.f_code.co_filename)
        if tree is not None:
            own, span = frame, _span(frame, instruction)
            statement, parents = _statement(tree, row)
            functions = [node for node in parents if isinstance(node, ast.FunctionDef)]
            if functions:
                before = tuple(
                    n for n in ast.walk(functions[-1]) if isinstance(n, ast.stmt) and _targets(n)
                )
            if isinstance(statement, ast.Raise):
                tests = [node.test for node in parents if isinstance(node, ast.If)]
                condition = tests[-1] if tests else None
            elif isinstance(statement, ast.Assert):
                condition = statement.test
            break
    return Trouble(
        error,
        str(error),
        tuple(f for f, _, _ in frames),
        own,
        statement,
        condition,
        before,
        span,
        place,
    )


def _statement(tree: ast.Module, row: int) -> tuple[ast.stmt | None, list[ast.stmt]]:
    """The innermost statement at a row, and those around it."""
    found: ast.stmt | None = None
    around: list[ast.stmt] = []
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        for child in ast.iter_child_nodes(node):
            first, last = getattr(child, "lineno", None), getattr(child, "end_lineno", None)
            if first is None or (first <= row <= (last or first)):
                todo.append(child)
                if isinstance(child, ast.stmt):
                    if found is not None:
                        around.append(found)
                    found = child
    return found, around


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement, but not of its body."""
    for name, value in ast.iter_fields(statement):
        if name in ("body", "orelse", "finalbody", "handlers"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from (n for n in ast.walk(part) if isinstance(n, ast.expr))


def _span(frame: FrameType, instruction: int) -> Span:
    positions = islice(frame.f_code.co_positions(), instruction // 2, None)
    row, end_row, column, end_column = next(positions, (None, None, None, None))
    return (row or 0, column or 0, end_row or 0, end_column or 0)


def _within(node: ast.expr, span: Span) -> bool:
    first, last = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    return span[:2] <= first and last <= span[2:]


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, ast.AugAssign | ast.AnnAssign | ast.For):
        return [statement.target]
    return []


def _arrays(value: Any, seen: set[int]) -> Iterator[Any]:
    if id(value) in seen or len(seen) > _MOST_SHAPES:
        return
    if isinstance(value, Placeholder) or (
        isinstance(getattr(value, "shape", None), tuple) and hasattr(value, "dtype")
    ):
        seen.add(id(value))
        yield value
    elif isinstance(value, tuple | list) and len(value) <= 8:
        for item in value:
            if not isinstance(item, tuple | list):
                yield from _arrays(item, seen)


def evaluate(node: ast.expr, frame: FrameType) -> Any:
    """The value of an expression that only reads: names, shapes, lengths, and what holds them.

    Raises:
      UnknownError: it is no such expression, or has no value there.
    """
    try:
        return _evaluate(node, frame)
    except UnknownError:
        raise
    except Exception as error:
        raise UnknownError from error


_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}


def _evaluate(node: ast.expr, frame: FrameType) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        if node.id in frame.f_locals:
            return frame.f_locals[node.id]
        if frame.f_code.co_name.startswith("<") and frame.f_back is not None:
            # A comprehension reads what its function knows.
            with contextlib.suppress(KeyError):
                return frame.f_back.f_locals[node.id]
        return frame.f_globals[node.id]
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_evaluate(part, frame) for part in node.elts)
    if isinstance(node, ast.Attribute):
        base = _evaluate(node.value, frame)
        if isinstance(base, Placeholder):
            raise UnknownError
        return getattr(base, node.attr)
    if isinstance(node, ast.Subscript):
        base = _evaluate(node.value, frame)
        if isinstance(base, dict | tuple | list):
            return base[_evaluate(node.slice, frame)]
        raise UnknownError
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _evaluate(node.operand, frame)
        if isinstance(value, int):
            return -value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return len(_evaluate(node.args[0], frame))
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        left, right = _evaluate(node.left, frame), _evaluate(node.right, frame)
        if isinstance(left, int) and isinstance(right, int):
            return _ARITHMETIC[type(node.op)](left, right)
    raise UnknownError

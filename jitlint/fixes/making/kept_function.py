"""JIT312: control flow that host code runs gets the same function each time, or runs under jit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from jitlint.absint.code.functions import bindings_of
from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import Event, FreshControlFlow
from jitlint.diagnostics import Applicability, Fix, Location
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

_Definition = cst.FunctionDef | cst.SimpleStatementLine


def fix(event: Event) -> Fix | None:
    """Make the function before the loop; jit the function that a loop elsewhere calls."""
    assert isinstance(event, FreshControlFlow)
    draft = Draft(event)
    if event.caller is not None:
        return _jitted(draft)
    return None if event.made == "wrapper" else _moved(draft)


def _jitted(draft: Draft) -> Fix | None:
    """Decorate the function that calls the control flow."""
    around = [it for it in draft.around(draft.node) if isinstance(it, cst.FunctionDef)]
    unit = draft.parsed.unit
    if len(around) != 1 or unit.cls is not None or unit.indented:
        return None
    (function,) = around
    if function.decorators or function.asynchronous is not None:
        return None
    if any(isinstance(node, cst.Yield) for node in walk(function.body)):
        return None
    jax = name_of(draft, "jax")
    if jax is None:
        return None
    draft.insert(Location(draft.start(function).row, 1), f"@{jax}.jit\n")
    # What it is given besides arrays the next round declares static.
    return draft.fix(f"Jit `{function.name.value}`", Applicability.UNSAFE)


def _moved(draft: Draft) -> Fix | None:
    """Move what each turn makes before the loop, where it takes nothing from the turn."""
    call, loop = draft.node, _loop_around(draft)
    if not isinstance(call, cst.Call) or loop is None:
        return None
    move = _Move(draft, loop)
    moved = [done for node in _arguments(call) if (done := move.argument(node)) is not None]
    if not moved or not all(moved):
        return None
    return draft.fix("Make the function before the loop", Applicability.UNSAFE)


def _loop_around(draft: Draft) -> cst.CSTNode | None:
    """The outermost loop of the function around the place; of a comprehension its statement."""
    found: cst.CSTNode | None = None
    comprehension = False
    for outer in draft.around(draft.node):
        if isinstance(outer, (cst.FunctionDef, cst.Lambda)):
            return found
        comprehension = comprehension or isinstance(outer, cst.BaseComp)
        if isinstance(outer, (cst.For, cst.While)) or (
            comprehension and isinstance(outer, cst.SimpleStatementLine)
        ):
            found = outer
    return None


def _arguments(call: cst.Call) -> list[cst.BaseExpression]:
    found: list[cst.BaseExpression] = []
    for arg in call.args:
        if isinstance(arg.value, (cst.List, cst.Tuple)):
            found += [element.value for element in arg.value.elements]
        else:
            found.append(arg.value)
    return found


class _Move:
    """What is moved before a loop.

    Args:
      draft: the fix.
      loop: the loop, or the statement that a comprehension stands in.
    """

    def __init__(self, draft: Draft, loop: cst.CSTNode) -> None:
        self._draft, self._loop = draft, loop
        start = draft.start(loop)
        self._where = Location(start.row, 1)
        self._indent = draft.between(self._where, start)
        self._bound = {name for node in walk(loop) for name in bindings_of(node)}
        self._bound |= {
            name
            for node in walk(loop)
            if isinstance(node, cst.CompFor)
            for target in walk(node.target)
            if isinstance(target, cst.Name)
            for name in (target.value,)
        }
        self._names: list[str] = []

    def argument(self, node: cst.BaseExpression) -> bool | None:
        """Move one function; None for what is none, or not made in the loop."""
        if self._indent.strip():
            return False
        if isinstance(node, cst.Lambda):
            return self._lambda(node)
        if not isinstance(node, cst.Name) or node.value not in self._bound:
            return None
        lines = self._lines_that_bind(node.value)
        if not any(map(_makes_function, lines)):
            return None
        return len(lines) == 1 and self._definition(node.value, lines[0])

    def _takes_from_turn(self, node: cst.CSTNode, *own: str) -> bool:
        """Whether a piece of code uses a name that the loop binds, other than its own."""
        inner = {
            parameter.name.value for parameter in walk(node) if isinstance(parameter, cst.Param)
        }
        inner.update(own)
        if isinstance(node, cst.FunctionDef):
            inner |= {name for it in walk(node.body) for name in bindings_of(it)}
        used = {it.value for it in walk(node) if isinstance(it, cst.Name)}
        return not used.isdisjoint(self._bound - inner)

    def _lambda(self, node: cst.Lambda) -> bool:
        draft, parameters = self._draft, node.params.params
        text = draft.text(node.body)
        if "\n" in text or node.lpar or self._takes_from_turn(node):
            return False
        listed = ""
        if parameters:
            listed = draft.between(draft.start(node.params), draft.end(node.params))
        taken = {it.value for it in walk(draft.parsed.statement) if isinstance(it, cst.Name)}
        taken.update(self._names, draft.module.bindings)
        name, number = "function", 1
        while name in taken:
            number += 1
            name = f"function_{number}"
        self._names.append(name)
        indent = self._indent
        self._put(f"{indent}def {name}({listed}):\n{indent}    return {text}\n\n")
        draft.replace(node, name)
        return True

    def _lines_that_bind(self, name: str) -> list[_Definition | None]:
        """The statements of the loop that bind a name; None for the head of one."""
        found: list[_Definition | None] = []
        for node in walk(self._loop):
            if name in bindings_of(node):
                inside = takewhile(lambda it: it is not self._loop, self._around(node))
                found.append(next((it for it in inside if isinstance(it, _Definition)), None))
        return found

    def _put(self, definition: str) -> None:
        """Put a function in before the loop, with a blank row around it."""
        above = self._draft.module.lines[self._where.row - 2].strip()
        first = bool(above) and not above.endswith(":") and not self._names[1:]
        self._draft.insert(self._where, f"\n{definition}" if first else definition)

    def _around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        yield node
        yield from self._draft.around(node)

    def _definition(self, name: str, line: _Definition | None) -> bool:
        draft = self._draft
        if line is None or self._takes_from_turn(line, name):
            return False
        first, last = draft.start(line).row, draft.end(line).row
        if isinstance(line, cst.FunctionDef):
            last = draft.last_row(line.body)
        lines = draft.module.lines
        rows = lines[first - 1 : last]
        depth = len(rows[0]) - len(rows[0].lstrip()) - len(self._indent)
        margin = rows[0][: len(self._indent) + depth]
        if depth <= 0 or any(row.strip() and not row.startswith(margin) for row in rows):
            return False
        text = "".join(self._indent + row[len(margin) :] if row.strip() else row for row in rows)
        if isinstance(line, cst.FunctionDef):
            self._put(f"{text}\n")
        else:
            draft.insert(self._where, text)
        while not lines[first - 2].strip():
            first -= 1
        while first - 1 == draft.start(self._loop).row and not lines[last].strip():
            last += 1
        draft.replace_between(Location(first, 1), Location(last + 1, 1), "")
        return True


def _makes_function(line: _Definition | None) -> bool:
    if isinstance(line, cst.FunctionDef):
        return not line.decorators and line.asynchronous is None
    if line is None or len(line.body) > 1 or not isinstance(line.body[0], cst.Assign):
        return False
    value = line.body[0].value
    if isinstance(value, cst.Call):
        return (dotted(value.func) or "").rpartition(".")[2] == "partial"
    return isinstance(value, cst.Lambda)

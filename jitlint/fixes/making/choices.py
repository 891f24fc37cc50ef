"""Branches that do no more than choose: what each binds or returns, and how that is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.diagnostics import Location
from jitlint.fixes.making.bindings import is_bound_before
from jitlint.fixes.making.draft import Draft, comments_in

_OPERATORS: Final = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.PowerAssign: "**",
}
#: values that need no brackets behind an operator
_PRIMARY: Final = (cst.Name, cst.Attribute, cst.Integer, cst.Float, cst.Call, cst.Subscript)
#: more names than these are better left to a function
_MOST_NAMES: Final = 4


@dataclass(frozen=True)
class Choice:
    """What one branch comes to.

    Args:
      head: what it does with its value: ``return`` or names and ``=``.
      text: the value; of several names a tuple.
      values: the nodes that it is made of.
      end: where the branch ends.
    """

    head: str
    text: str
    values: Sequence[cst.BaseExpression]
    end: Location


def chain_around(draft: Draft, node: cst.If) -> list[cst.If]:
    """An ``if`` and all its ``elif``, of which a node is one."""
    outer = draft.parent(node)
    while isinstance(outer, cst.If):
        node, outer = outer, draft.parent(outer)
    chain = [node]
    while isinstance(chain[-1].orelse, cst.If):
        chain.append(chain[-1].orelse)
    return chain


def choice_of(draft: Draft, body: cst.BaseSuite) -> Choice | None:
    """What the branch of a body comes to; None if it does more than choose."""
    statements: list[cst.CSTNode] = []
    for line in body.body:
        simple = isinstance(line, cst.SimpleStatementLine)
        statements += line.body if simple else [line]  # type: ignore[union-attr]
    if not 0 < len(statements) <= _MOST_NAMES:
        return None
    if len(statements) == 1:
        return _choice(draft, statements[0])
    parts = [_choice(draft, statement) for statement in statements]
    names: list[str] = []
    for part in parts:
        if part is None or not part.head.endswith("= "):
            return None
        used = {dotted(node) for value in part.values for node in walk(value)}
        name = part.head.removesuffix(" = ")
        if used & set(names) or name in names:
            return None
        names.append(name)
    found = [part for part in parts if part is not None]
    return Choice(
        f"{', '.join(names)} = ",
        f"({', '.join(part.text for part in found)})",
        [value for part in found for value in part.values],
        found[-1].end,
    )


def _choice(draft: Draft, statement: cst.CSTNode) -> Choice | None:
    value: cst.BaseExpression
    before = ""
    if isinstance(statement, cst.Return) and statement.value is not None:
        head, value = "return ", statement.value
    elif isinstance(statement, cst.Assign) and len(statement.targets) == 1:
        name = dotted(statement.targets[0].target)
        if name is None:
            return None
        head, value = f"{name} = ", statement.value
    elif isinstance(statement, cst.AugAssign):
        name, operator = dotted(statement.target), _OPERATORS.get(type(statement.operator))
        if name is None or operator is None:
            return None
        head, value, before = f"{name} = ", statement.value, f"{name} {operator} "
    else:
        return None
    text = draft.text(value)
    bare = isinstance(value, cst.Tuple) and not value.lpar
    if bare or (before and not value.lpar and not isinstance(value, _PRIMARY)):
        text = f"({text})"
    return Choice(head, before + text, [value], draft.end(value))


def choice_without_else(draft: Draft, node: cst.If, first: Choice) -> Choice | None:
    """What is chosen where no branch is taken: the next statement, or what names hold before."""
    if first.head == "return ":
        following = _next(draft, node)
        return None if following is None else _choice(draft, following)
    names = first.head.removesuffix(" = ").split(", ")
    function = draft.function
    if function is None:
        return None
    for name in names:
        local = name in function.bound_names
        if "." not in name and not (local and is_bound_before(draft, node, function, name)):
            return None
    text = names[0] if len(names) == 1 else f"({', '.join(names)})"
    values = [cst.Name(name.partition(".")[0]) for name in names]
    return Choice(first.head, text, values, first.end)


def _next(draft: Draft, node: cst.If) -> cst.BaseSmallStatement | None:
    """The simple statement that follows an ``if`` in its block, alone in its line."""
    block = draft.parent(node)
    statements = list(block.body) if isinstance(block, cst.IndentedBlock) else []
    if node not in statements or node is statements[-1]:
        return None
    line = statements[statements.index(node) + 1]
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    return line.body[0]


def replace_statement(draft: Draft, node: cst.If, end: Location, text: str) -> None:
    """Put a statement in the place of an ``if`` and what follows it, with all their comments.

    That of the first row stays at its end, the others get rows of their own before it.
    """
    start = draft.start(node)
    rows = draft.module.written(start.row, end.row)
    kept = comments_in(text)
    comments = [it for it in comments_in(draft.between(start, end)) if it not in kept]
    behind = ""
    if comments and len(rows) > 1 and rows[0].rstrip().endswith(comments[0]):
        behind = f"  {comments.pop(0)}"
    indent = " " * (start.column - 1)
    above = "".join(f"{comment}\n{indent}" for comment in comments)
    draft.replace_between(start, end, f"{above}{text}{behind}")

"""What a function hands out, as far as its tree tells: functions, or results of other calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from jitlint.project.walks import DEFINITIONS, FunctionNode, dotted, push_children, walk

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

#: methods that put what they are given into an object
_PUTTING = frozenset({"append", "add", "extend", "insert", "setdefault", "update", "register"})


class Products(Struct):
    """What a function returns, stores in objects or leaves to others to store.

    Attributes:
      functions: whether a function that it makes itself is among them.
      names: dotted names of what is among them, if that is a function.
      calls: dotted names of functions that are called for what is among them, or for their effect;
        those of ``super()`` begin with that.
    """

    functions: bool = False
    names: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


def statement_count(node: ast.stmt) -> int:
    """How many statements a function runs: without its docstring, and what nested ones hold."""
    assert isinstance(node, FunctionNode)
    return sum(
        not isinstance(inner, ast.Expr) or not isinstance(inner.value, ast.Constant)
        for inner in _own_statements(node)
    )


def products_of(node: ast.stmt) -> Products:
    """What a function hands out."""
    assert isinstance(node, FunctionNode)
    made = Products()
    nested: set[str] = set()
    bound: dict[str, list[ast.expr]] = {}
    out: list[ast.expr] = []
    for statement in _own_statements(node):
        if isinstance(statement, FunctionNode):
            nested.add(statement.name)
        elif isinstance(statement, ast.Return) and statement.value is not None:
            out.append(statement.value)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in _single(targets, statement.value):
                if isinstance(target, ast.Name):
                    bound.setdefault(target.id, []).append(statement.value)
                elif isinstance(target, (ast.Attribute, ast.Subscript)):
                    out.append(statement.value)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            out.extend(_put(statement.value))
    parameters = {
        argument.arg
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    }
    _gather(made, out, nested, bound, parameters)
    return made


def _own_statements(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.stmt]:
    """The statements of a function, without those of functions and classes nested in it."""
    stack: list[ast.AST] = [*function.body]
    while stack:
        current = stack.pop()
        if isinstance(current, ast.stmt):
            yield current
        elif isinstance(current, ast.expr):
            continue
        if not isinstance(current, DEFINITIONS):
            push_children(current, stack)


def _single(targets: Sequence[ast.expr], value: ast.expr) -> Iterator[ast.expr]:
    """The targets of an assignment, and those within tuples among which names are given out.

    Of what a call returns, nobody knows which part each of them gets.
    """
    for target in targets:
        if not isinstance(target, (ast.Tuple, ast.List)):
            yield target
        elif not isinstance(value, ast.Call):
            yield from target.elts


def _put(call: ast.Call) -> Iterator[ast.expr]:
    """What a call that stands alone may store: what it is given, or what it makes itself."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _PUTTING:
        yield from call.args
    yield call


def _gather(
    made: Products,
    out: list[ast.expr],
    nested: set[str],
    bound: dict[str, list[ast.expr]],
    parameters: set[str],
) -> None:
    """Find out what expressions hold whose values leave the function."""
    while out:
        node = out.pop()
        if isinstance(node, ast.Lambda):
            made.functions = True
        elif isinstance(node, (ast.Name, ast.Attribute)):
            name = dotted(node)
            if name in nested:
                made.functions = True
            elif name in bound:
                out.extend(bound.pop(name))
            elif name is not None and name.partition(".")[0] not in parameters:
                made.names.add(name)
        elif isinstance(node, ast.Call):
            called = dotted(node.func) or _inherited(node.func)
            if called is not None:
                made.calls.add(called)
            else:
                out.append(node.func)
            out.extend(node.args)
            out.extend(keyword.value for keyword in node.keywords)
        elif isinstance(node, _HOLDING):
            children: list[ast.AST] = []
            push_children(node, children)
            out.extend(child for child in children if isinstance(child, ast.expr))


def _inherited(function: ast.expr) -> str | None:
    """A name for what ``super().__init__`` stands for: ``super.__init__``."""
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Call):
        return None
    return f"super.{function.attr}" if dotted(function.value.func) == "super" else None


#: expressions whose value is, or holds, one of their parts
_HOLDING = (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.IfExp, ast.BoolOp, ast.NamedExpr,
            ast.Starred, ast.ListComp, ast.DictComp)  # fmt: skip


def keeps_to_itself(module: ModuleIndex, cls: str) -> bool:
    """Whether functions of a module use a class, and each keeps the objects that it makes of it."""
    using = [
        unit
        for unit in module.units_with(cls)
        if any(mention.partition(".")[0] == cls for mention in unit.mentions)
    ]
    return bool(using) and all(_keeps_to_itself(unit.node, cls) for unit in using)


def _keeps_to_itself(node: ast.stmt, cls: str) -> bool:
    """Whether a function only puts objects of a class into names of which it takes attributes."""
    if not isinstance(node, FunctionNode):
        return False
    made: set[str] = set()
    kept: set[int] = set()
    named: list[ast.Name] = []
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            named.append(inner)
        elif isinstance(inner, ast.Attribute):
            kept.add(id(inner.value))
        elif isinstance(inner, ast.Assign) and len(inner.targets) == 1:
            target, value = inner.targets[0], inner.value
            if isinstance(target, ast.Name) and isinstance(value, ast.Call):
                function = value.func
                if isinstance(function, ast.Name) and function.id == cls:
                    made.add(target.id)
                    kept |= {id(target), id(function)}
        elif isinstance(inner, (ast.Global, ast.Nonlocal)):
            return False
    return all(id(name) in kept for name in named if name.id == cls or name.id in made)

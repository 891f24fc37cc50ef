"""How things are repeated."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from benchmarks.refactorings.code import (
    InFunctions,
    Names,
    Statement,
    body_of,
    expression,
    has,
    statements,
    text_of,
    with_body,
    with_prelude,
)
from benchmarks.refactorings.kinds import refactoring

_Written = cst.For | cst.While | cst.FlattenSentinel[Statement]


class _Loops(InFunctions):
    """Writes ``for`` loops of functions again."""

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> _Written:
        plain = updated_node.orelse is None and updated_node.asynchronous is None
        if not self.depth or not plain or not isinstance(updated_node.body, cst.IndentedBlock):
            return updated_node
        return self.write(updated_node, list(updated_node.body.body))  # type: ignore[arg-type]

    def write(self, loop: cst.For, body: list[Statement]) -> _Written:
        """A loop in another way."""
        raise NotImplementedError


class _Enumerated(_Loops):
    def write(self, loop: cst.For, body: list[Statement]) -> _Written:
        target = cst.Tuple([cst.Element(cst.Name("_number")), cst.Element(_grouped(loop.target))])
        iterated = cst.Call(cst.Name("enumerate"), [cst.Arg(loop.iter)])
        return loop.with_changes(target=target, iter=iterated)


def _grouped(target: cst.BaseAssignTargetExpression) -> cst.BaseAssignTargetExpression:
    if isinstance(target, cst.Tuple) and not target.lpar:
        return target.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return target


@refactoring()
def enumerated_loops(module: cst.Module) -> cst.Module:
    """``for x in xs`` is ``for _, x in enumerate(xs)``."""
    return module.visit(_Enumerated())


class _Progress(_Loops):
    def write(self, loop: cst.For, body: list[Statement]) -> _Written:
        return loop.with_changes(iter=cst.Call(cst.Name("tqdm"), [cst.Arg(loop.iter)]))


@refactoring()
def loops_with_progress(module: cst.Module) -> cst.Module:
    """``for x in xs`` is ``for x in tqdm(xs)``."""
    written = module.visit(_Progress())
    if written.deep_equals(module):
        return module
    return with_prelude(written, "from tqdm import tqdm\n")


def _while(test: str, start: str, loop: cst.For, body: list[Statement]) -> _Written:
    """A ``while`` loop in place of another, behind a statement."""
    (first,) = statements(start)
    turning = cst.While(expression(test), loop.body.with_changes(body=body))
    return cst.FlattenSentinel([first.with_changes(leading_lines=loop.leading_lines), turning])


class _Counted(_Loops):
    def write(self, loop: cst.For, body: list[Statement]) -> _Written:
        call, target = loop.iter, loop.target
        counts = m.Call(m.Name("range"), [m.Arg(keyword=None, star="")])
        if not m.matches(call, counts) or not isinstance(target, cst.Name):
            return loop
        assert isinstance(call, cst.Call)
        limit = call.args[0].value
        if not isinstance(limit, cst.Name | cst.Integer | cst.Attribute):
            return loop
        bound = Names(body).bound
        if target.value in bound or text_of(limit) in bound or has(body, cst.Continue):
            return loop
        name = target.value
        start, step = f"{name} = 0\n", f"{name} += 1\n"
        return _while(f"{name} < {text_of(limit)}", start, loop, [*body, *statements(step)])


@refactoring()
def counted_loops(module: cst.Module) -> cst.Module:
    """``for i in range(n)`` is ``i = 0; while i < n: ...; i += 1``."""
    return module.visit(_Counted())


class _Iterated(_Loops):
    def write(self, loop: cst.For, body: list[Statement]) -> _Written:
        if has(body, cst.Continue, cst.For, cst.While):
            return loop
        start = f"turns_left = iter({text_of(loop.iter)})\n"
        taken = statements(
            f"try:\n    {text_of(loop.target)} = next(turns_left)\n"
            "except StopIteration:\n    break\n"
        )
        return _while("True", start, loop, [*taken, *body])


@refactoring()
def iterators(module: cst.Module) -> cst.Module:
    """``for x in xs`` is ``it = iter(xs); while True: x = next(it)``, to its end."""
    return module.visit(_Iterated())


class _Listed(_Loops):
    def write(self, loop: cst.For, body: list[Statement]) -> _Written:
        append = m.Attribute(m.SaveMatchedNode(m.Name(), "name"), m.Name("append"))
        made = m.SaveMatchedNode(m.DoNotCare(), "made")
        appends = m.SimpleStatementLine([m.Expr(m.Call(append, [m.Arg(made, None, star="")]))])
        found = m.extract(body[0], appends) if len(body) == 1 else None
        if found is None:
            return loop
        name, element = found["name"], found["made"]
        assert isinstance(name, cst.Name) and isinstance(element, cst.BaseExpression)
        if name.value in Names([element]).read:
            return loop
        space = cst.SimpleWhitespace(" ")
        each = cst.CompFor(loop.target, loop.iter, whitespace_before=space)
        listed = cst.Arg(cst.ListComp(element, each))
        every = cst.Call(cst.Attribute(name, cst.Name("extend")), [listed])
        row = body[0].with_changes(body=[cst.Expr(every)], leading_lines=loop.leading_lines)
        return cst.FlattenSentinel([row])


@refactoring()
def comprehensions(module: cst.Module) -> cst.Module:
    """``for x in xs: found.append(f(x))`` is ``found.extend([f(x) for x in xs])``."""
    return module.visit(_Listed())


class _Turns(cst.CSTTransformer):
    """Puts the bodies of loops into functions of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Statement] = []

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        parts = body_of(updated_node)
        if parts is None or has(parts[0], cst.Global, cst.Nonlocal):
            return updated_node
        locals_ = {*Names([updated_node]).bound} - {updated_node.name.value}
        first, rest = parts
        body: list[Statement] = []
        for number, statement in enumerate(rest):
            body.append(self._written(statement, [*rest[:number], *rest[number + 1 :]], locals_))
        return with_body(updated_node, [*first, *body])

    def _written(self, loop: Statement, others: list[Statement], locals_: set[str]) -> Statement:
        if (
            not isinstance(loop, cst.For)
            or loop.orelse
            or not isinstance(loop.body, cst.IndentedBlock)
        ):
            return loop
        body: list[Statement] = list(loop.body.body)  # type: ignore[arg-type]
        leaves = cst.Continue, cst.Break, cst.Return, cst.Yield, cst.Await, cst.Global
        inner = cst.FunctionDef, cst.Lambda, cst.If, cst.Try, cst.While, cst.For, cst.With
        if has(body, *leaves) or (len(body) == 1 and has(body, *inner)):
            return loop
        given, made = self._passed(body, locals_)
        if given is None:
            return loop
        wanted = [name for name in made if name in given or name in Names(others).read]
        name = f"one_turn_{len(self.made)}"
        ending = f"return {', '.join(wanted)}\n" if wanted else "return None\n"
        (head,) = statements(f"def {name}({', '.join(given)}):\n    pass\n")
        assert isinstance(head, cst.FunctionDef)
        self.made.append(with_body(head, [*body, *statements(ending)]))
        call = f"{name}({', '.join(given)})"
        row = f"{', '.join(wanted)} = {call}\n" if wanted else f"{call}\n"
        return loop.with_changes(body=loop.body.with_changes(body=statements(row)))

    @staticmethod
    def _passed(body: list[Statement], locals_: set[str]) -> tuple[list[str] | None, list[str]]:
        """What a turn takes, and what it binds; None where what it takes may not be there."""
        given: dict[str, None] = {}
        made: dict[str, None] = {}
        for statement in body:
            names = Names([statement])
            given.update(dict.fromkeys(n for n in names.read if n in locals_ and n not in made))
            simple = isinstance(statement, cst.SimpleStatementLine | cst.FunctionDef)
            own = [n for n in names.bound if n in locals_]
            if not simple and any(name not in made and name not in given for name in own):
                return None, []
            if isinstance(statement, cst.FunctionDef):
                own = [statement.name.value]
            made.update(dict.fromkeys(own))
        return list(given), list(made)


@refactoring()
def turns_in_functions(module: cst.Module) -> cst.Module:
    """What a loop does in each turn is a function."""
    turns = _Turns()
    written = module.visit(turns)
    assert isinstance(written, cst.Module)
    return written.with_changes(body=[*written.body, *turns.made])

"""Where functions and programs are kept."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import libcst.matchers as m

from benchmarks.refactorings.code import (
    Names,
    Statement,
    body_of,
    expression,
    functions,
    has,
    indented,
    statements,
    text_of,
    with_body,
    with_prelude,
)
from benchmarks.refactorings.kinds import refactoring


class _Bodies(cst.CSTTransformer):
    def __init__(self, write: Callable[[list[Statement]], list[Statement]]) -> None:
        super().__init__()
        self.write = write

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        parts = body_of(updated_node)
        if parts is None:
            return updated_node
        return with_body(updated_node, [*parts[0], *self.write(parts[1])])


@refactoring()
def bodies_in_with(module: cst.Module) -> cst.Module:
    """Functions do all they do in a ``with``."""

    def write(body: list[Statement]) -> list[Statement]:
        (block,) = statements("with contextlib.nullcontext():\n    pass\n")
        return [block.with_changes(body=indented(body))]

    return with_prelude(module.visit(_Bodies(write)), "import contextlib\n")


@refactoring()
def bodies_in_try(module: cst.Module) -> cst.Module:
    """Functions do all they do in a ``try`` with a ``finally``."""

    def write(body: list[Statement]) -> list[Statement]:
        (block,) = statements("try:\n    pass\nfinally:\n    done()\n")
        return [block.with_changes(body=indented(body))]

    written = module.visit(_Bodies(write))
    return with_prelude(written, "def done():\n    pass\n\n\n")


class _Definitions(cst.CSTTransformer):
    """Writes the functions of a module again, each in its place."""

    def __init__(
        self, module: cst.Module, write: Callable[[cst.FunctionDef], list[Statement] | None]
    ) -> None:
        super().__init__()
        self.known = functions(module)
        self.write = write

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[Statement]:
        if self.known.get(updated_node.name.value) is not original_node:
            return updated_node
        written = self.write(updated_node)
        return updated_node if written is None else cst.FlattenSentinel(written)


@refactoring()
def methods(module: cst.Module) -> cst.Module:
    """A function is a method of an object that the module makes."""

    def write(function: cst.FunctionDef) -> list[Statement] | None:
        if function.decorators or has(function.body, cst.Yield):
            return None
        name = function.name.value
        params = function.params
        front = "posonly_params" if params.posonly_params else "params"
        first = cst.Param(cst.Name("self"))
        params = params.with_changes(**{front: [first, *getattr(params, front)]})
        held = f"class Holder_{name}:\n    pass\n\n\n{name} = Holder_{name}().{name}\n"
        cls, bound = statements(held)
        method = function.with_changes(params=params, leading_lines=())
        assert isinstance(cls, cst.ClassDef)
        whole = cls.with_changes(body=indented([method]), leading_lines=function.leading_lines)
        return [whole, bound]

    return module.visit(_Definitions(module, write))


@refactoring()
def factories(module: cst.Module) -> cst.Module:
    """A function is made by another one, once."""

    def write(function: cst.FunctionDef) -> list[Statement] | None:
        name = function.name.value
        maker, bound = statements(f"def make_{name}():\n    pass\n\n\n{name} = make_{name}()\n")
        (given,) = statements(f"return {name}\n")
        assert isinstance(maker, cst.FunctionDef)
        inner = function.with_changes(leading_lines=())
        whole = with_body(maker, [inner, given])
        return [whole.with_changes(leading_lines=function.leading_lines), bound]

    return module.visit(_Definitions(module, write))


@refactoring()
def calls_for_decorators(module: cst.Module) -> cst.Module:
    """``@jax.jit def f`` is ``def f; f = jax.jit(f)``."""

    def write(function: cst.FunctionDef) -> list[Statement] | None:
        if len(function.decorators) != 1:
            return None
        name, decorator = function.name.value, function.decorators[0].decorator
        bare = function.with_changes(decorators=())
        partial = m.Name("partial") | m.Attribute(m.Name("functools"), m.Name("partial"))
        if m.matches(decorator, m.Call(partial)):
            assert isinstance(decorator, cst.Call)
            made, *others = decorator.args
            bare_args = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in others]
            options = ", ".join(map(text_of, bare_args))
            called = f"{text_of(made.value)}({name}, {options})"
        else:
            called = f"{text_of(decorator)}({name})"
        return [bare, *statements(f"{name} = {called}\n")]

    return module.visit(_Definitions(module, write))


_LOGGED = """\
def logged_call(fun):
    @functools.wraps(fun)
    def wrapper(*args, **kwargs):
        return fun(*args, **kwargs)

    return wrapper


"""


@refactoring()
def decorators_of_the_project(module: cst.Module) -> cst.Module:
    """Functions have a decorator that does nothing but call them."""

    def write(function: cst.FunctionDef) -> list[Statement] | None:
        if function.decorators:
            return None
        return [function.with_changes(decorators=[cst.Decorator(cst.Name("logged_call"))])]

    written = module.visit(_Definitions(module, write))
    if written.deep_equals(module):
        return module
    return with_prelude(written, f"import functools\n\n\n{_LOGGED}")


def _held(module: cst.Module, empty: str, item: str) -> cst.Module:
    """Put compiled functions that a function makes into something that it holds."""

    def write(body: list[Statement]) -> list[Statement]:
        closures = m.FunctionDef() | m.ClassDef() | m.Lambda() | m.CompFor()
        inner = Names([found for each in body for found in m.findall(each, closures)])
        bound = Names(body).bound
        names = [name for name in map(_made, body) if name is not None and bound[name] == 1]
        names = [name for name in names if name not in inner.read and name not in inner.bound]
        if not names:
            return body
        written = [_visited(each, _Items(names, item)) for each in body]
        return [*statements(f"held = {empty}\n"), *written]

    return module.visit(_Bodies(write))


def _made(statement: Statement) -> str | None:
    """The name that a statement gives to what a call of ``jax`` makes."""
    call = m.Call(m.Attribute(m.Name("jax")))
    found = m.extract(
        statement,
        m.SimpleStatementLine(
            [m.Assign([m.AssignTarget(m.Name(m.SaveMatchedNode(m.DoNotCare(), "name")))], call)]
        ),
    )
    return None if found is None else str(found["name"])


def _visited(statement: Statement, transformer: cst.CSTTransformer) -> Statement:
    written = statement.visit(transformer)
    assert isinstance(written, Statement)
    return written


class _Items(cst.CSTTransformer):
    def __init__(self, names: list[str], item: str) -> None:
        super().__init__()
        self.names = names
        self.item = item

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        if updated_node.value not in self.names:
            return updated_node
        return expression(self.item.format(updated_node.value))


@refactoring()
def programs_in_dicts(module: cst.Module) -> cst.Module:
    """``step = jax.jit(f)`` in a function is ``held["step"] = jax.jit(f)``."""
    return _held(module, "{}", 'held["{}"]')


@refactoring()
def programs_in_attributes(module: cst.Module) -> cst.Module:
    """``step = jax.jit(f)`` in a function is ``held.step = jax.jit(f)``."""
    written = _held(module, "Held()", "held.{}")
    helper = "class Held:\n    pass\n\n\n"
    return module if written.deep_equals(module) else with_prelude(written, helper)

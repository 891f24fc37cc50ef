"""How functions are called."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import libcst as cst
import libcst.matchers as m

from benchmarks.refactorings.code import (
    InFunctions,
    Statement,
    expression,
    functions,
    has,
    text_of,
    with_prelude,
)
from benchmarks.refactorings.kinds import refactoring

_JIT = m.Attribute(m.Name("jax"), m.Name("jit"))


class _Jits(cst.CSTTransformer):
    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        return cst.Name("compiled_program") if m.matches(updated_node, _JIT) else updated_node


@refactoring(hoists=True)
def a_wrapper_of_jit(module: cst.Module) -> cst.Module:
    """``jax.jit`` is called by a function of the project."""
    written = module.visit(_Jits())
    if written.deep_equals(module):
        return module
    helper = "def compiled_program(fun, **options):\n    return jax.jit(fun, **options)\n\n\n"
    return with_prelude(written, helper)


class _Calls(InFunctions):
    """Writes calls of a module's functions again, in the bodies of functions."""

    def __init__(
        self, module: cst.Module, write: Callable[[cst.Call, cst.FunctionDef], cst.BaseExpression]
    ) -> None:
        super().__init__()
        self.functions = functions(module)
        self.write = write

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        name = updated_node.func
        if not self.depth or not isinstance(name, cst.Name) or name.value not in self.functions:
            return updated_node
        return self.write(updated_node, self.functions[name.value])


@refactoring()
def calls_by_a_helper(module: cst.Module) -> cst.Module:
    """``f(x)`` is ``called(f, x)``."""

    def write(call: cst.Call, _: cst.FunctionDef) -> cst.BaseExpression:
        return call.with_changes(func=cst.Name("called"), args=[cst.Arg(call.func), *call.args])

    written = module.visit(_Calls(module, write))
    if written.deep_equals(module):
        return module
    helper = "def called(fun, *args, **kwargs):\n    return fun(*args, **kwargs)\n\n\n"
    return with_prelude(written, helper)


@refactoring()
def keywords(module: cst.Module) -> cst.Module:
    """``f(x)`` is ``f(a=x)``."""

    def write(call: cst.Call, function: cst.FunctionDef) -> cst.BaseExpression:
        parameters = function.params
        names = [each.name for each in parameters.params]
        plain = all(not each.star and each.keyword is None for each in call.args)
        if parameters.posonly_params or not plain or len(call.args) > len(names):
            return call
        named = zip(call.args, names, strict=False)
        return call.with_changes(
            args=[cst.Arg(each.value, cst.Name(name.value), equal=_EQUAL) for each, name in named]
        )

    return module.visit(_Calls(module, write))


_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


@refactoring()
def partials(module: cst.Module) -> cst.Module:
    """``f(x, y)`` is ``functools.partial(f, x)(y)``."""

    def write(call: cst.Call, _: cst.FunctionDef) -> cst.BaseExpression:
        if len(call.args) < 2 or call.args[0].star or call.args[0].keyword is not None:
            return call
        bound = f"functools.partial({text_of(call.func)}, {text_of(call.args[0].value)})"
        return call.with_changes(func=expression(bound), args=call.args[1:])

    written = module.visit(_Calls(module, write))
    return module if written.deep_equals(module) else with_prelude(written, "import functools\n")


#: gives what is named in rows of its own, and the call then
_Write = Callable[[cst.Call], tuple[dict[str, cst.BaseExpression], cst.Call] | None]


class _Rows(InFunctions):
    """Writes statements that are one call each again, with rows before them."""

    def __init__(self, write: _Write) -> None:
        super().__init__()
        self.write = write

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[Statement]:
        if not self.depth or len(updated_node.body) != 1:
            return updated_node
        small = updated_node.body[0]
        if not isinstance(small, cst.Assign | cst.Expr | cst.Return | cst.AnnAssign):
            return updated_node
        call = small.value
        if not isinstance(call, cst.Call) or has(call, cst.NamedExpr, cst.Await, cst.Yield):
            return updated_node
        written = self.write(call)
        if written is None:
            return updated_node
        rows, new = written
        above = [_bound(name, value) for name, value in rows.items()]
        leading = updated_node.leading_lines
        above[0] = above[0].with_changes(leading_lines=leading)
        last = updated_node.with_changes(body=[small.with_changes(value=new)], leading_lines=())
        return cst.FlattenSentinel([*above, last])


@refactoring(hoists=True)
def named_arguments(module: cst.Module) -> cst.Module:
    """``f(g(x))`` is ``first = g(x); f(first)``."""
    numbers = count()

    def write(call: cst.Call) -> tuple[dict[str, cst.BaseExpression], cst.Call] | None:
        rows: dict[str, cst.BaseExpression] = {}
        args = []
        for each in call.args:
            if each.star or isinstance(each.value, cst.Name | cst.BaseNumber | cst.SimpleString):
                args.append(each)
                continue
            name = f"argument_{next(numbers)}"
            rows[name] = each.value
            args.append(each.with_changes(value=cst.Name(name)))
        return (rows, call.with_changes(args=args)) if rows else None

    return module.visit(_Rows(write))


@refactoring(hoists=True)
def starred_arguments(module: cst.Module) -> cst.Module:
    """``f(x, y)`` is ``values = (x, y); f(*values)``."""

    def write(call: cst.Call) -> tuple[dict[str, cst.BaseExpression], cst.Call] | None:
        plain = [each for each in call.args if each.keyword is None and not each.star]
        if not plain or plain != list(call.args[: len(plain)]):
            return None
        if any(each.star for each in call.args):
            return None
        values = cst.Tuple([cst.Element(_in_brackets(each.value)) for each in plain])
        starred = cst.Arg(cst.Name("values_given"), star="*")
        changed = call.with_changes(args=[starred, *call.args[len(plain) :]])
        return {"values_given": values}, changed

    return module.visit(_Rows(write))


def _bound(name: str, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    """``name = value``, in parentheses where the value may go on in the next row."""
    target = cst.AssignTarget(cst.Name(name))
    return cst.SimpleStatementLine([cst.Assign([target], _in_brackets(value))])


def _in_brackets(value: cst.BaseExpression) -> cst.BaseExpression:
    if value.lpar or isinstance(value, cst.Name):
        return value
    return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


class _Returns(InFunctions):
    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[Statement]:
        small = updated_node.body[0]
        if not self.depth or len(updated_node.body) != 1 or not isinstance(small, cst.Return):
            return updated_node
        if small.value is None or isinstance(small.value, cst.Name):
            return updated_node
        target = cst.AssignTarget(cst.Name("result_given"))
        named = updated_node.with_changes(body=[cst.Assign([target], small.value)])
        return cst.FlattenSentinel([named, cst.parse_statement("return result_given")])


@refactoring()
def named_results(module: cst.Module) -> cst.Module:
    """``return f(x)`` is ``result = f(x); return result``."""
    return module.visit(_Returns())

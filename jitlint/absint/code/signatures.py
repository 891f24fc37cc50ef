"""Annotations of functions, which the index's ``ast`` has, found for functions that are parsed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.syntax import children
from jitlint.project.walks import FunctionNode

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter


def annotation_of(code: Code, parameter: Parameter) -> ast.expr | None:
    """The annotation of a parameter of a parsed function."""
    node = _definition_of(code) if parameter.annotated else None
    if node is None:
        return None
    arguments = node.args
    stars = (arguments.vararg, arguments.kwarg)
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars):
        if argument is not None and argument.arg == parameter.name:
            return argument.annotation
    return None


def return_annotation_of(code: Code) -> ast.expr | None:
    """The annotation of what a function returns; of a nested one once it is parsed."""
    if code.node is None:
        unparsed = code.unit.node
        return unparsed.returns if isinstance(unparsed, FunctionNode) else None
    if getattr(code.node, "returns", None) is None:
        return None
    node = _definition_of(code)
    return None if node is None else node.returns


def _definition_of(code: Code) -> FunctionNode | None:
    """The definition of a parsed function in the tree of the index."""
    node, parsed = code.unit.node, code.parsed
    assert parsed is not None
    if code.node is parsed.statement:
        return node if isinstance(node, FunctionNode) else None
    # Functions that are nested in a statement stand in both trees in the same order.
    for place, nested in enumerate(_nested_in_code(parsed.statement)):
        if nested is code.node:
            return next(islice(_nested_in_index(node), place, None), None)
    return None


def _nested_in_index(node: ast.AST) -> Iterator[FunctionNode]:
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        block = getattr(node, name, ())
        for child in block if isinstance(block, list) else ():
            if isinstance(child, FunctionNode):
                yield child
            yield from _nested_in_index(child)


def _nested_in_code(node: cst.CSTNode) -> Iterator[cst.FunctionDef]:
    for child in children(node):
        if isinstance(child, cst.FunctionDef):
            yield child
        if not isinstance(child, _WITHOUT_DEFINITIONS):
            yield from _nested_in_code(child)


#: what no definition of a function stands in
_WITHOUT_DEFINITIONS: Final = (
    cst.BaseExpression, cst.BaseSmallStatement, cst.Decorator, cst.MatchPattern, cst.Parameters,
    cst.WithItem,
)  # fmt: skip

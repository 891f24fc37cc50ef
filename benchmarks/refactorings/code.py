"""What refactorings ask of code, and the parts that they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import libcst as cst
import libcst.matchers as m
from libcst.metadata import ExpressionContext, ExpressionContextProvider, MetadataWrapper

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def statements(text: str) -> list[Statement]:
    """The statements of a text."""
    return list(cst.parse_module(text).body)


def expression(text: str) -> cst.BaseExpression:
    """An expression."""
    return cst.parse_expression(text)


def text_of(node: cst.CSTNode) -> str:
    """A node as text."""
    return cst.Module([]).code_for_node(node)


def with_prelude(module: cst.Module, text: str) -> cst.Module:
    """A module with statements behind its imports."""
    last = 0
    for number, statement in enumerate(module.body):
        if _is_import(statement) or (number == 0 and _is_docstring(statement)):
            last = number + 1
    return module.with_changes(body=[*module.body[:last], *statements(text), *module.body[last:]])


def _is_import(statement: Statement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(
        statement.body[0], cst.Import | cst.ImportFrom
    )


def _is_docstring(statement: cst.BaseStatement) -> bool:
    return m.matches(
        statement,
        m.SimpleStatementLine([m.Expr(m.SimpleString() | m.ConcatenatedString())]),
    )


def functions(module: cst.Module) -> dict[str, cst.FunctionDef]:
    """The functions of a module whose names are bound once there."""
    names = [each.name.value for each in module.body if isinstance(each, cst.FunctionDef)]
    declared = {text_of(item) for item in m.findall(module, m.NameItem())}
    return {
        each.name.value: each
        for each in module.body
        if isinstance(each, cst.FunctionDef)
        and names.count(each.name.value) == 1
        and each.asynchronous is None
        and each.name.value not in declared
    }


def body_of(function: cst.FunctionDef) -> tuple[list[Statement], list[Statement]] | None:
    """What must come first in a function (docstring, ``global``), and the rest; None in one row."""
    block = function.body
    if not isinstance(block, cst.IndentedBlock):
        return None
    first = 0
    for statement in block.body:
        declared = m.SimpleStatementLine([m.Global() | m.Nonlocal()])
        if not (m.matches(statement, declared) or (first == 0 and _is_docstring(statement))):
            break
        first += 1
    rest = _statements(block.body[first:])
    return (_statements(block.body[:first]), rest) if rest else None


def _statements(body: Sequence[cst.BaseStatement]) -> list[Statement]:
    return [each for each in body if isinstance(each, Statement)]


def with_body(function: cst.FunctionDef, body: Sequence[Statement]) -> cst.FunctionDef:
    """A function with another body."""
    return function.with_changes(body=function.body.with_changes(body=body))


def indented(body: Sequence[Statement]) -> cst.IndentedBlock:
    """Statements as a block."""
    return cst.IndentedBlock(body)


class Names:
    """Names that code binds and reads, whoever's they are.

    Args:
      nodes: the code; names of functions and classes in it, of parameters and of imports count as
        bound, attributes and keywords as nothing.
    """

    def __init__(self, nodes: Iterable[cst.CSTNode]) -> None:
        self.read = Counter[str]()
        self.bound = Counter[str]()
        for node in nodes:
            # Metadata belongs to whole modules.
            body = [node] if isinstance(node, Statement) else []
            body = body or [cst.SimpleStatementLine([cst.Expr(node)])]  # type: ignore[arg-type]
            wrapper = MetadataWrapper(cst.Module(body))
            contexts = wrapper.resolve(ExpressionContextProvider)
            for name, context in contexts.items():
                if isinstance(name, cst.Name):
                    into = self.read if context is ExpressionContext.LOAD else self.bound
                    into[name.value] += 1
            for found in _walk(wrapper.module):
                if isinstance(found, cst.FunctionDef | cst.ClassDef | cst.Param):
                    self.bound[found.name.value] += 1
                elif isinstance(found, cst.AugAssign) and isinstance(found.target, cst.Name):
                    self.read[found.target.value] += 1
                elif isinstance(found, cst.ImportAlias):
                    name = found.asname.name if found.asname else found.name
                    self.bound[text_of(name).split(".")[0]] += 1
                elif isinstance(found, cst.ExceptHandler) and found.name is not None:
                    self.bound[text_of(found.name.name)] += 1


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _walk(child)


def has(node: cst.CSTNode | Sequence[cst.CSTNode], *kinds: type[cst.CSTNode]) -> bool:
    """Whether there is one of some kinds in code, inner functions aside."""
    nodes = [node] if isinstance(node, cst.CSTNode) else node
    return any(isinstance(found, kinds) for each in nodes for found in _own(each))


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    if not isinstance(node, cst.FunctionDef | cst.Lambda | cst.ClassDef):
        for child in node.children:
            yield from _own(child)


class InFunctions(cst.CSTTransformer):
    """Writes the code of functions again, and neither what decorates them nor classes' own code."""

    def __init__(self) -> None:
        super().__init__()
        #: how many functions there are around
        self.depth = 0

    def visit_FunctionDef_body(self, node: cst.FunctionDef) -> None:
        """Go into a function."""
        self.depth += 1

    def leave_FunctionDef_body(self, node: cst.FunctionDef) -> None:
        """Come out of it."""
        self.depth -= 1

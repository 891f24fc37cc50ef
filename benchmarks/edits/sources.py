"""Files as texts, and what an edit needs to find in them."""

from __future__ import annotations

import ast
import io
import random
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

#: the texts of a project by their paths, relative and with slashes
Files = Mapping[str, str]
FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@lru_cache(maxsize=4096)
def parsed(text: str) -> ast.Module | None:
    """The tree of a text; None where it does not parse."""
    try:
        return ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError):
        return None


@lru_cache(maxsize=512)
def tokens(text: str) -> Sequence[tokenize.TokenInfo]:
    """The tokens of a text; none where it has no end."""
    try:
        return list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return ()


def modules(files: Files) -> list[str]:
    """The Python files that parse."""
    return [name for name, text in files.items() if name.endswith(".py") and parsed(text)]


def tree_of(files: Files, name: str) -> ast.Module:
    """The tree of a file that parses."""
    tree = parsed(files[name])
    if tree is None:
        raise ValueError(f"{name} does not parse")
    return tree


def some_module(rng: random.Random, files: Files) -> str | None:
    """One of the Python files: most often one that is not small, and sometimes any."""
    found = modules(files)
    if not found:
        return None
    weights = [1 + len(files[name]) ** 0.5 for name in found]
    return rng.choices(found, weights)[0]


def nodes(files: Files, *kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """All nodes of some kinds, with their files."""
    for name in modules(files):
        for node in ast.walk(tree_of(files, name)):
            if isinstance(node, kinds):
                yield name, node


def some_node(rng: random.Random, files: Files, *kinds: type[ast.AST]) -> tuple[str, Any] | None:
    """A node of some kinds in one of the files."""
    for _ in range(20):
        name = some_module(rng, files)
        if name is None:
            return None
        found = [node for node in ast.walk(tree_of(files, name)) if isinstance(node, kinds)]
        if found:
            return name, rng.choice(found)
    return None


def some_function(rng: random.Random, files: Files) -> tuple[str, Function] | None:
    """A function or method, on rows of its own."""
    found = some_node(rng, files, *FunctionNode)
    if found is None or not isinstance(found[1], FunctionNode):
        return None
    node = found[1]
    return None if node.body[0].lineno == node.lineno else (found[0], node)


def definitions(tree: ast.Module) -> list[Definition]:
    """What a module defines at its outermost level."""
    return [node for node in tree.body if isinstance(node, (*FunctionNode, ast.ClassDef))]


def first_row(node: ast.stmt) -> int:
    """The row of a statement, decorators included, from 0."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)]) - 1


def last_row(node: ast.stmt) -> int:
    """The row after a statement, from 0."""
    return node.end_lineno or node.lineno


def rows(text: str) -> list[str]:
    r"""The rows of a text without their newlines, as ``"\\n".join`` puts them together."""
    return text.split("\n")


def own_rows(text: str, node: ast.stmt) -> list[str]:
    """The rows of a statement."""
    return rows(text)[first_row(node) : last_row(node)]


def alone(text: str, node: ast.stmt) -> bool:
    """Whether no other statement shares the rows of one."""
    lines = rows(text)
    first, last = lines[first_row(node)], lines[last_row(node) - 1]
    after = last.encode()[node.end_col_offset :].decode(errors="ignore").strip()
    before = first.encode()[: node.col_offset if first_row(node) == node.lineno - 1 else 0]
    return not before.strip() and (not after or after.startswith("#"))


def with_rows(files: Files, name: str, start: int, end: int, new: Sequence[str]) -> Files:
    """The files, with other rows in one in the place of some."""
    lines = rows(files[name])
    lines[start:end] = new
    return {**files, name: "\n".join(lines)}


def with_node(files: Files, name: str, node: ast.expr | ast.stmt, new: str) -> Files | None:
    """The files, with another text in the place of a node.

    Returns:
      None where the node has no place.
    """
    if node.end_lineno is None or node.end_col_offset is None:
        return None
    lines = rows(files[name])
    first, last = lines[node.lineno - 1].encode(), lines[node.end_lineno - 1].encode()
    text = first[: node.col_offset] + new.encode() + last[node.end_col_offset :]
    return with_rows(
        files, name, node.lineno - 1, node.end_lineno, text.decode(errors="ignore").split("\n")
    )


def segment(text: str, node: ast.expr | ast.stmt) -> str:
    """The text of a node."""
    return ast.get_source_segment(text, node) or ""


def indent_of(node: ast.stmt) -> str:
    """What stands before a statement on its row."""
    return " " * node.col_offset


def statements(tree: ast.AST) -> list[ast.stmt]:
    """Every statement inside of functions."""
    return [
        inner
        for node in ast.walk(tree)
        if isinstance(node, FunctionNode)
        for inner in ast.walk(node)
        if isinstance(inner, ast.stmt) and inner is not node
    ]


def parameters(node: Function) -> list[str]:
    """The names of positional parameters, without the instance."""
    return [each.arg for each in node.args.args if each.arg not in ("self", "cls")]


def top(tree: ast.Module) -> int:
    """The row, from 0, after the docstring and the imports from ``__future__``."""
    row = 0
    for number, node in enumerate(tree.body):
        is_docstring = (
            number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        )
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (is_docstring or is_future):
            break
        row = last_row(node)
    return row


def dotted_name(name: str) -> str:
    """The name by which a file may be imported."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

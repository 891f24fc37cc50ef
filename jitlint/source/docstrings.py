"""The examples in the docstrings of a module, as functions behind its last row.

That is how doctest runs them: after the module, with its names, each docstring by itself.  So every
docstring becomes a function that nothing calls, and what it binds is seen by nobody else.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from jitlint.source import ipython
from jitlint.source.document import Document, Origin
from jitlint.source.markup import examples

_PROMPT = ">>>"
_CLOSING = re.compile(r"(?:\"{3}|'{3}|[\"'])$")
_INDENT = "    "
_OF_MODULE = "_module"
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def with_examples(document: Document) -> Document:
    """Append the examples of a module's docstrings to it.

    Args:
      document: a Python file.

    Returns:
      The document with more rows, which know where they come from; itself where it has no examples.
    """
    if _PROMPT not in document.text:
        return document
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(document.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return document
    lines = list(document.lines)
    if not lines[-1]:
        lines.pop()
    rows = [(line, Origin(None, row, 0)) for row, line in enumerate(lines, start=1)]
    written = len(rows)
    taken: Counter[str] = Counter()
    for name, docstring in _docstrings(tree):
        body = list(_body(document, docstring))
        if not body:
            continue
        taken[name] += 1
        unique = name if taken[name] == 1 else f"{name}_{taken[name]}"
        function = [(f"def {unique}():", Origin(None, docstring.lineno, 0)), *body]
        if _compiles("\n".join(text for text, _ in function)):
            rows += function
    if len(rows) == written:
        return document
    return replace(
        document,
        text="\n".join(text for text, _ in rows) + "\n",
        origins=tuple(origin for _, origin in rows),
        cells=(document.lines,),
    )


def _docstrings(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    """Yield each docstring that holds examples, with a name for the function they become."""
    waiting: list[tuple[str, ast.AST]] = [(f"examples_of{_OF_MODULE}", tree)]
    while waiting:
        name, node = waiting.pop()
        if isinstance(node, ast.Module | _Definition) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
                and _PROMPT in first.value.value
            ):
                yield name, first.value
        for child in reversed(list(ast.iter_child_nodes(node))):
            if isinstance(child, _Definition):
                waiting.append((f"{name.removesuffix(_OF_MODULE)}_{child.name}", child))
            elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                waiting.append((name, child))


def _body(document: Document, docstring: ast.Constant) -> Iterator[tuple[str, Origin]]:
    """Yield the rows of a docstring's examples, indented, with their origins."""
    assert docstring.end_lineno is not None and docstring.end_col_offset is not None
    numbered = [
        (row, (document.line(row), 0)) for row in range(docstring.lineno, docstring.end_lineno + 1)
    ]
    # Neither the marks around the string nor what stands outside of them is part of it.
    row, (line, _) = numbered[-1]
    inside = line.encode()[: docstring.end_col_offset].decode("utf-8", "ignore")
    numbered[-1] = row, (_CLOSING.sub("", inside), 0)
    row, (line, _) = numbered[0]
    opening = len(line) - len(line[line.find(_PROMPT) :]) if _PROMPT in line else len(line)
    numbered[0] = row, (" " * opening + line[opening:], 0)
    for start, block in examples(numbered):
        python = ipython.to_python([text for text, _ in block])
        if python is None or not ipython.parses("\n".join(text for text, _ in python)):
            continue
        state = ipython.Continuation()
        for number, ((text, shift), (_, before)) in enumerate(zip(python, block, strict=True)):
            # A row inside a string keeps its beginning.
            indent = "" if state.inside or not text.strip() else _INDENT
            state.feed(text)
            yield indent + text, Origin(None, start + number, shift + before - len(indent))


def _compiles(text: str) -> bool:
    """Whether a function is right also for the compiler; nothing is run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<examples>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True

"""Functions that answer in Python numbers and texts, which they make of arrays: metrics, checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from jitlint.project.units import ClassDefinition, Unit

_PLAIN: Final = frozenset({"float", "int", "bool", "str"})
_CONTAINERS: Final = re.compile(r"(?:typing\.)?(?:dict|list|tuple|mapping|sequence)", re.IGNORECASE)
_CONVERTS: Final = re.compile(r"\b(?:float|int|bool|str)\(|\.(?:item|tolist)\(")


def answers_in_python(unit: Unit) -> bool:
    """Whether a function says that it returns Python numbers, and makes them of what it computes.

    ``def accuracy(x, y) -> float: return float((x == y).mean())`` is for the host: whoever means an
    array by ``float`` converts nothing, and says so of no container: ``dict[str, float]``.

    Args:
      unit: a function.
    """
    node = unit.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.returns is None:
        return False
    if not _is_plain(node.returns):
        return False
    return not isinstance(node.returns, ast.Name) or _CONVERTS.search(unit.text) is not None


def leads_to_python(method: Unit, order: Sequence[ClassDefinition]) -> bool:
    """Whether a method calls one of its object that does so, through others of them.

    Args:
      method: the method.
      order: its class and those that this derives from, in the order of method resolution.
    """
    methods: dict[str, Unit] = {}
    for cls in reversed(order):
        methods.update((name, units[-1]) for name, units in cls.methods.items())
    waiting, seen = [method], {method.name}
    while waiting:
        unit = waiting.pop()
        if answers_in_python(unit):
            return True
        for mention in unit.mentions:
            head, name, *_ = (*mention.split("."), "")
            if head == "self" and name in methods and name not in seen:
                seen.add(name)
                waiting.append(methods[name])
    return False


def _is_plain(annotation: ast.expr) -> bool:
    """Whether an annotation means numbers and texts, or containers of them."""
    if isinstance(annotation, ast.Name):
        return annotation.id in _PLAIN
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return _is_plain(ast.parse(annotation.value, mode="eval").body)
        except SyntaxError:
            return False
    if not isinstance(annotation, ast.Subscript):
        return False
    if _CONTAINERS.fullmatch(ast.unparse(annotation.value)) is None:
        return False
    held = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
    parts = [part for part in held if not _is_ellipsis(part)]
    return bool(parts) and all(map(_is_plain, parts))


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...

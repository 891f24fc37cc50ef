"""Tests that run once for each of some values: what their decorators list of a parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from jitlint.project.walks import dotted

if TYPE_CHECKING:
    from jitlint.project.units import Unit

#: the decorators: each keyword has its values, or names come first and then their values
BY_KEYWORD: Final = "absl.testing.parameterized.product"
BY_NAMES: Final = "pytest.mark.parametrize"
_OF_TESTS: Final = frozenset({"parameters", "named_parameters", "parametrize", "product"})


def flags_listed(unit: Unit) -> tuple[tuple[str, str, bool], ...]:
    """The parameters of which a decorator lists truth values alone.

    Where others decorate the function as well they may pass anything.

    Returns:
      The name of each, the decorator as the code writes it, and whether that has keywords.
    """
    decorators = getattr(unit.node, "decorator_list", ())
    if not all(map(_is_of_tests, decorators)):
        return ()
    return tuple(
        (name, dotted(call.func) or "", keyword)
        for call in decorators
        if isinstance(call, ast.Call)
        for keyword, names in ((True, _by_keyword(call)), (False, _by_names(call)))
        for name in names
    )


def _is_of_tests(decorator: ast.expr) -> bool:
    """Whether a decorator is one by which tests are marked, or run several times."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = dotted(called) or ""
    return "mark." in name or name.rpartition(".")[2] in _OF_TESTS


def _by_keyword(call: ast.Call) -> Iterator[str]:
    """``@parameterized.product(jit=[False, True])``."""
    for keyword in call.keywords:
        if keyword.arg is not None and _are_flags(_items(keyword.value)):
            yield keyword.arg


def _by_names(call: ast.Call) -> Iterator[str]:
    """``@pytest.mark.parametrize("jit, depth", [(False, 1), (True, 2)])``."""
    if len(call.args) < 2:
        return
    written, rows = call.args[0], _items(call.args[1])
    if isinstance(written, ast.Constant) and isinstance(written.value, str):
        names = [name.strip() for name in written.value.split(",")]
    else:
        parts = _items(written)
        names = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        if len(names) != len(parts):
            return
    if len(names) == 1:
        columns = [rows]
    else:
        cells = [_items(row) for row in rows]
        if any(len(row) != len(names) for row in cells):
            return
        columns = [[row[index] for row in cells] for index in range(len(names))]
    for name, column in zip(names, columns, strict=True):
        if _are_flags(column):
            yield name


def _items(node: ast.expr) -> Sequence[ast.expr]:
    return node.elts if isinstance(node, (ast.List, ast.Tuple)) else ()


def _are_flags(values: Sequence[ast.expr]) -> bool:
    kinds = [isinstance(v, ast.Constant) and isinstance(v.value, bool) for v in values]
    return bool(kinds) and all(kinds)

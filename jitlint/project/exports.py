"""What a star import takes from a module: the names in ``__all__``, or all public ones."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex


def exported(module: ModuleIndex) -> frozenset[str] | None:
    """The names in a module's ``__all__``.

    Args:
      module: the imported module.

    Returns:
      The names; None where there is no ``__all__`` or it is not written out.
    """
    if not module.binds("__all__"):
        return None
    names: set[str] = set()
    for unit in module.units_with("__all__"):
        if unit.is_function or isinstance(unit.node, ast.ClassDef) or unit.cls is not None:
            continue
        if unit.indented or not _apply(unit.node, names):
            return None
    return frozenset(names)


def _apply(node: ast.AST, names: set[str]) -> bool:
    """Follow one statement about ``__all__``; False if it is not understood."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        listed = _listed(node.value)
        names.clear()
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        listed = _listed(node.value)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if len(call.args) != 1 or ast.unparse(call.func).partition(".")[0] != "__all__":
            return False
        if method == "append":
            listed = _listed(ast.List([call.args[0]]))
        else:
            listed = _listed(call.args[0]) if method == "extend" else None
    else:
        return False
    if listed is None:
        return False
    names.update(listed)
    return True


def _listed(node: ast.expr | None) -> list[str] | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _listed(node.left), _listed(node.right)
        return None if left is None or right is None else left + right
    if not isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return None
    names = [part.value for part in node.elts if isinstance(part, ast.Constant)]
    texts = [name for name in names if isinstance(name, str)]
    return texts if len(texts) == len(node.elts) else None

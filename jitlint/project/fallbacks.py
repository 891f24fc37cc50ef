"""Fallbacks for a missing JAX: handlers that never run where anything is traced."""

from __future__ import annotations

import ast
from typing import Final

from jitlint.project.walks import dotted

#: modules of JAX that every release has
_MODULES: Final = frozenset(
    {
        "jax", "jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.scipy", "jax.scipy.special",
        "jax.scipy.linalg", "jax.scipy.stats", "jax.tree_util", "jaxlib",
    }
)  # fmt: skip
#: names of JAX itself that every release has
_NAMES: Final = frozenset(
    {
        "checkpoint", "config", "custom_jvp", "custom_vjp", "device_get", "device_put", "devices",
        "grad", "hessian", "jacfwd", "jacrev", "jit", "jvp", "lax", "linearize", "make_jaxpr",
        "nn", "numpy", "pmap", "random", "scipy", "tree_util", "value_and_grad", "vjp", "vmap",
    }
)  # fmt: skip
#: what is raised where something cannot be imported
_MISSING: Final = frozenset({"ImportError", "ModuleNotFoundError"})


def runs_with_jax(node: ast.Try) -> bool:
    """Whether the handlers of a ``try`` only run where JAX is missing, whatever they catch.

    Nothing else in it can raise, or nothing else is imported there and they catch nothing else.
    What is traced has JAX, so they never run there.

    Args:
      node: a ``try`` at the top of a module.
    """
    imported = [_imports_jax(each) for each in node.body]
    if all(map(_catches_imports, node.handlers)):
        within = (inner for each in node.body for inner in ast.walk(each))
        imported = [_imports_jax(n) for n in within if isinstance(n, (ast.Import, ast.ImportFrom))]
    return True in imported and False not in imported and bool(node.handlers)


def _catches_imports(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches nothing but that something cannot be imported."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return all(isinstance(kind, ast.Name) and kind.id in _MISSING for kind in kinds)


def _imports_jax(node: ast.stmt) -> bool | None:
    """Whether a statement imports what every JAX has; None for one that imports nothing."""
    if isinstance(node, ast.Import):
        return all(alias.name in _MODULES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        if node.module == "jax" and not node.level:
            return all(alias.name in _NAMES for alias in node.names)
        return False
    if isinstance(node, ast.Delete):
        return None
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Constant):
        return None
    is_setting = (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and (dotted(node.value.func) or "").endswith("config.update")
    )
    return None if is_setting else False

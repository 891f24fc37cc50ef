"""Fallbacks for a missing JAX: handlers that never run where anything is traced."""

from __future__ import annotations

import ast
from typing import Final

from jitlint.project.walks import dotted

#: what handlers catch that wait for a package that is not there
_MISSING: Final = frozenset({"ImportError", "ModuleNotFoundError"})
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


def runs_with_jax(node: ast.Try) -> bool:
    """Whether the handlers of a ``try`` only wait for JAX to be missing.

    What is traced has it, so they never run there.

    Args:
      node: a ``try`` at the top of a module.
    """
    imported = [_imports_jax(each) for each in node.body]
    return (
        True in imported
        and False not in imported
        and bool(node.handlers)
        and all(_waits_for_missing(handler.type) for handler in node.handlers)
    )


def _waits_for_missing(kind: ast.expr | None) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return all(isinstance(each, ast.Name) and each.id in _MISSING for each in kinds)


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

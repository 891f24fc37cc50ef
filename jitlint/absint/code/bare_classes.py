"""Classes of which nobody makes objects: annotations name them, and mean something else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jitlint.absint.code.declarations import is_class_variable
from jitlint.project.walks import dotted

if TYPE_CHECKING:
    from jitlint.project.units import ClassDefinition


def means_another(definition: ClassDefinition) -> bool:
    """Whether an annotation that names a class means objects of some other."""
    return definition.fact(is_placeholder) or definition.fact(names_constants)


def is_placeholder(definition: ClassDefinition) -> bool:
    """Whether a class is only a name for annotations: ``class Animal: pass`` says nothing."""
    node = definition.node
    return not (node.bases or node.keywords or node.decorator_list) and all(
        isinstance(each, ast.Pass) or _is_text(each) for each in node.body
    )


def names_constants(definition: ClassDefinition) -> bool:
    """Whether a class only gives names to numbers or texts, one of which its annotations mean.

    They are ``ClassVar``s, or written in capital letters: who makes objects of such a class?
    """
    node = definition.node
    statements = [each for each in node.body if not _is_text(each)]
    bases = [dotted(base) for base in node.bases]
    return (
        bool(statements)
        and not node.keywords
        and bases in ([], ["object"])
        and all(_names_constant(each) for each in statements)
    )


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _names_constant(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        target: ast.expr = statement.target
        of_class = is_class_variable(statement)
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, of_class = statement.targets[0], False
    else:
        return False
    if not isinstance(target, ast.Name) or not (of_class or target.id.isupper()):
        return False
    return isinstance(statement.value, ast.Constant) and isinstance(
        statement.value.value, (int, str)
    )

"""Imports of a project's own modules that always raise: nothing below them ever runs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec import Struct

from jitlint.project.units import Unit

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.project import Project


class FailingImport(Struct, frozen=True):
    """An import that raises.

    Args:
      unit: the statement.
      name: the module that it asks for.
    """

    unit: Unit
    name: str


def failing_import(project: Project, module: ModuleIndex) -> FailingImport | None:
    """The first import of a module that raises whenever the module is run, if one does.

    It is one of archived code, which was moved into a folder of its own: a relative import of a
    module of which there is no file there, but one in a package further out.  Others of which there
    is none may be generated, or compiled.  A name that a module does not have is left alone: code
    that was written for another version of it is looked at all the same.
    """
    if module.is_notebook:
        return None
    for bindings in module.bindings.values():
        for binding in bindings:
            if binding.target is None or binding.target.name is None or not binding.unit.certain:
                continue
            node = binding.unit.node
            if isinstance(node, ast.ImportFrom) and _has_moved(project, module, node):
                return FailingImport(binding.unit, binding.target.module)
    return None


def _has_moved(project: Project, module: ModuleIndex, node: ast.ImportFrom) -> bool:
    if not node.level or not node.module:
        return False
    if project.locates(module.absolute(node.module, node.level), module):
        return False
    depth = module.package.count(".") + 1 if module.package else 0
    outer = range(node.level + 1, depth + 1)
    return any(project.locates(module.absolute(node.module, level), module) for level in outer)

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
    for key, source, level in module.fact(relative_imports):
        if not _has_moved(project, module, source, level):
            continue
        unit = module.unit_of(key)
        if unit is not None:
            return FailingImport(unit, module.absolute(source, level))
    return None


def relative_imports(module: ModuleIndex) -> tuple[tuple[tuple[str, str, int], str, int], ...]:
    """The modules that a module imports by relative names whenever it is run.

    Returns:
      What tells each statement from others, the name after the dots, and how many of these there
      are; nothing for a notebook, of which any cell may be run.
    """
    found: dict[tuple[tuple[str, str, int], str, int], None] = {}
    for bindings in () if module.is_notebook else module.bindings.values():
        for binding in bindings:
            unit, node = binding.unit, binding.unit.node
            if isinstance(node, ast.ImportFrom) and node.level and node.module and unit.certain:
                found[unit.key, node.module, node.level] = None
    return tuple(found)


def _has_moved(project: Project, module: ModuleIndex, name: str, level: int) -> bool:
    if project.locates(module.absolute(name, level), module):
        return False
    depth = module.package.count(".") + 1 if module.package else 0
    outer = range(level + 1, depth + 1)
    return any(project.locates(module.absolute(name, each), module) for each in outer)

"""The classes of a project that one of its classes inherits from, as far as names tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jitlint.project.index import ModuleIndex
from jitlint.project.project import Project
from jitlint.project.units import ClassDefinition
from jitlint.project.walks import dotted

#: bases of bases, and re-exports on the way to one
_LEVELS: Final = 4


def ancestors(
    project: Project, module: ModuleIndex, cls: ClassDefinition, levels: int = _LEVELS
) -> Iterator[ClassDefinition]:
    """The classes that a class of a module inherits from: its bases, and theirs."""
    if not levels:
        return
    for node in cls.bases:
        found = _find(project, module, dotted(node) or "", _LEVELS)
        if found is not None:
            home, base = found
            yield base
            yield from ancestors(project, home, base, levels - 1)


def _find(
    project: Project, module: ModuleIndex, name: str, levels: int
) -> tuple[ModuleIndex, ClassDefinition] | None:
    """The class that a dotted name stands for in a module, with the module that defines it."""
    if name in module.classes:
        return module, module.classes[name]
    head, _, rest = name.partition(".")
    for binding in project.bindings(module, head) if levels else ():
        target = binding.target
        other = None if target is None else project.find_module(target.module, module)
        if target is None or other is None:
            continue
        inside = ".".join(part for part in (target.name, rest) if part)
        found = _find(project, other, inside, levels - 1)
        if found is not None:
            return found
    return None

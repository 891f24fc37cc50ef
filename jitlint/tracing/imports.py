"""Who imports what from which module of the project, and under which name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jitlint.project.import_targets import ImportTarget
from jitlint.project.index import ModuleIndex
from jitlint.project.project import Project

#: a name that a module imports, what that is, the module it is taken from and the one it may be
_Import = tuple[str, ImportTarget, ModuleIndex | None, ModuleIndex | None]


class Imports:
    """The imports between some modules.

    Args:
      project: the project.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        #: the modules that import from one
        self.importers: dict[Path, list[ModuleIndex]] = {}
        self._known: dict[Path, list[_Import]] = {}

    def add(self, module: ModuleIndex) -> None:
        """Note what a module imports."""
        sources = dict.fromkeys(module.star_imports)
        for bindings in module.bindings.values():
            for binding in bindings:
                if binding.target is not None:
                    sources[binding.target.module] = None
                    if binding.target.name is not None:
                        sources[binding.target.qualified] = None
        for source in sources:
            if source.partition(".")[0] in ("jax", "numpy") and not self.project.has_module(
                source, module
            ):
                continue
            other = self.project.find_module(source, module)
            if other is not None and other is not module:
                self.importers.setdefault(other.path, []).append(module)

    def aliases(self, importer: ModuleIndex, source: ModuleIndex, name: str) -> list[str]:
        """How a name of one module is written in another that imports it."""
        found = []
        for bound, target, origin, whole in self.of(importer):
            if target.name == name and origin is source:
                found.append(bound)
            if whole is source:
                found.append(f"{bound}.{name}")
            elif target.name is None and source.name.startswith(f"{target.module}."):
                found.append(f"{source.name}.{name}")
        starred = (self.project.find_module(star, importer) for star in importer.star_imports)
        if any(module is source for module in starred):
            found.append(name)
        return found

    def of(self, importer: ModuleIndex) -> list[_Import]:
        """What a module imports, each name with where it comes from."""
        known = self._known.get(importer.path)
        if known is None:
            known = self._known[importer.path] = []
            find = self.project.find_module
            for bound, bindings in importer.bindings.items():
                for binding in bindings:
                    target = binding.target
                    if target is not None:
                        origin = find(target.module, importer)
                        whole = origin
                        if target.name is not None:
                            whole = find(f"{target.module}.{target.name}", importer)
                        known.append((bound, target, origin, whole))
        return known


#: A name that leads through more modules is followed no further.
_LONGEST_PATH: Final = 6


def leads_in_circles(alias: str) -> bool:
    """Whether a path comes through one module twice: `gx.gx.f` where all star-import all.

    A package may hold a module of its own name, so the first may stand twice.
    """
    parts = alias.split(".")[:-1]
    if parts[:1] == parts[1:2]:
        parts = parts[1:]
    return len(parts) > _LONGEST_PATH or len(set(parts)) < len(parts)

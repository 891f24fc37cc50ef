"""Folders that nothing marks as a project, such as a home folder: what in them is worth reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from jitlint.foundation.packages import packages_among
from jitlint.imports.graph import imports_of


def within_reach(
    files: Sequence[Path],
    start: Iterable[Path],
    text: Callable[[Path], object],
    locate: Callable[[str, Path], Path | None],
) -> list[Path]:
    """The files that some files may import, directly or not; of a package, all that it holds.

    Args:
      files: every Python file.
      start: where to begin; what imports one of them in the same folder belongs to it.
      text: the text of a file; anything else where there is none.
      locate: the file that an import of a dotted name finds in a module of a folder.

    Returns:
      Those of the files, in the order in which they were given.
    """
    packages = packages_among(files)
    outermost: dict[Path, Path | None] = {}
    members: dict[Path, list[Path]] = {}
    for path in files:
        folder = path.parent
        if folder not in outermost:
            inside = [above for above in (folder, *folder.parents) if above in packages]
            outermost[folder] = inside[-1] if inside else None
        package = outermost[folder]
        if package is not None:
            members.setdefault(package, []).append(path)

    pending = list(start)
    stems = {(path.parent, path.stem) for path in pending}
    folders = {folder for folder, _ in stems}
    for path in files:
        content = text(path) if path.parent in folders else None
        if isinstance(content, str):
            names = {name.partition(".")[0] for name in _imported(content)}
            if any((path.parent, name) in stems for name in names):
                pending.append(path)
    found: set[Path] = set()
    while pending:
        path = pending.pop()
        if path in found:
            continue
        package = outermost.get(path.parent)
        group = [path] if package is None else members[package]
        found.update(group)
        for member in group:
            content = text(member)
            for name in _imported(content) if isinstance(content, str) else ():
                imported = locate(name, member.parent)
                if imported is not None and imported not in found:
                    pending.append(imported)
    return [path for path in files if path in found]


def _imported(text: str) -> Iterable[str]:
    """The dotted names of modules that a text may import, packages around them included."""
    found: dict[str, None] = {}
    for name, *_ in imports_of(text):
        # Of a package all that it holds is looked at anyway.
        while name and not name.startswith("."):
            found[name] = None
            name = name.rpartition(".")[0]
    return found

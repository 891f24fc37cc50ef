"""From files to the names by which they are imported, and from a project to its copy."""

from __future__ import annotations

import os
from pathlib import Path


def module_of(path: Path, root: Path) -> tuple[str, list[Path]]:
    """The dotted name of a file, and the import roots that its project needs.

    Args:
      path: a Python file.
      root: the project's root.
    """
    folder = path.parent
    parts = [] if path.stem == "__init__" else [path.stem]
    # A folder that goes by no name is no package, whatever it holds; the root of all has none.
    while folder.name.isidentifier() and (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    roots = [folder]
    for other in (root / "src", root):
        if other.is_dir() and other not in roots:
            roots.append(other)
    return ".".join(parts), roots


def is_test_file(filename: str) -> bool:
    """Whether a file holds tests, by the names that pytest looks for."""
    stem = Path(filename).stem
    return stem.startswith("test_") or stem.endswith("_test")


def copied(path: str, original: str, copy: str) -> str:
    """The path of something in the copy of a project, where it is there; else as it is.

    Args:
      path: the path.
      original: the folder that was copied.
      copy: the folder that stands for it.
    """
    for folder in (os.path.realpath(original), original):
        if path == folder or path.startswith(f"{folder.rstrip(os.sep)}{os.sep}"):
            inner = path[len(folder) :].lstrip(os.sep)
            found = f"{copy}{os.sep}{inner}".rstrip(os.sep)
            return found if os.path.exists(found) else path  # noqa: PTH110 - asked often
    return path

"""From files to the names by which they are imported."""

from __future__ import annotations

from pathlib import Path


def module_of(path: Path, root: Path) -> tuple[str, list[Path]]:
    """The dotted name of a file, and the import roots that its project needs.

    Args:
      path: a Python file.
      root: the project's root.
    """
    folder = path.parent
    parts = [] if path.stem == "__init__" else [path.stem]
    while (folder / "__init__.py").exists() and folder != folder.parent:
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

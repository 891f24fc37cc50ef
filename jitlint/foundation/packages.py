"""Which folders are packages: those with an ``__init__.py`` that go by a name Python can import."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_MARK = "__init__.py"


def is_package(folder: Path) -> bool:
    """Whether a folder on the disk is one, which a checkout named ``jax-md`` never is."""
    return folder.name.isidentifier() and (folder / _MARK).exists()


def packages_among(files: Iterable[Path]) -> set[Path]:
    """The folders of some files that are packages."""
    return {each.parent for each in files if each.name == _MARK and each.parent.name.isidentifier()}

"""Files besides Python's own that say how a project is run: tests, automation, containers."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from jitlint.source.file_discovery import Excluder, FolderHandler

#: below the root; the root itself is looked at as well
_FOLDERS: Final = (
    ".ci",
    ".circleci",
    ".github",
    ".github/workflows",
    "bin",
    "ci",
    "docker",
    "scripts",
    "test",
    "tests",
)
_NAMES: Final = re.compile(
    r"(?:pyproject|pixi|hatch|tox)\.toml|(?:setup|\.?pytest|tox)\.(?:cfg|ini)|\.env|environment\.ya?ml"
    r"|(?:GNU)?makefile|.*\.mk|justfile|dockerfile.*|.*\.(?:sh|bash)"
    r"|docker-compose.*\.ya?ml|\.gitlab-ci\.ya?ml|\.travis\.yml|azure-pipelines\.ya?ml|readme\.\w+",
    re.IGNORECASE,
)


def settings_files(
    root: Path, exclude: Excluder | None = None, on_folder: FolderHandler | None = None
) -> list[Path]:
    """The files at the usual places, in order.

    Args:
      root: the project root.
      exclude: tells which paths of the project are left out.
      on_folder: is told of each folder before it is listed.
    """
    found: list[Path] = []
    for folder in (root, *(root / name for name in _FOLDERS)):
        try:
            status = folder.stat()
            if on_folder is not None:
                on_folder(str(folder), status)
            names = sorted(os.listdir(folder))  # noqa: PTH208 - only the names are wanted
        except OSError:
            continue
        everything = folder.name in ("workflows", ".circleci")
        wanted = (
            folder / name
            for name in names
            if _NAMES.fullmatch(name) or (everything and name.endswith((".yml", ".yaml")))
        )
        found += [
            path for path in wanted if (exclude is None or not exclude(path)) and path.is_file()
        ]
    return found

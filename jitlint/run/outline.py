"""What is known of a request before any folder is listed: its configuration and its project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jitlint.config.configuration import (
    FILE_NAMES,
    Config,
    assumptions,
    find_config,
    load_config,
)
from jitlint.foundation.records import record
from jitlint.run.exclusion import excluder_of
from jitlint.run.request import Request
from jitlint.source.file_discovery import Excluder, absolute_path, common_folder, project_root
from jitlint.usage_errors import UsageError


@record()
class Outline:
    """The configuration and the project.

    Args:
      config: the configuration that holds.
      root: the project root.
      exclude: tells which paths of the project are left out.
    """

    config: Config
    root: Path
    exclude: Excluder


def outline_of(request: Request) -> Outline:
    """Find the configuration and the project of a request.

    Raises:
      UsageError: a path or the configuration is wrong.
    """
    _check_paths(request.paths)
    config = read_config(request)
    return Outline(config, project_root(request.anchors), excluder_of(request, config))


def read_config(request: Request) -> Config:
    """The configuration that holds for a request.

    Raises:
      UsageError: the configuration is wrong.
    """
    start = common_folder(request.anchors)
    if request.isolated:
        config = Config(base=start)
    elif request.config_file is not None:
        config = load_config(absolute_path(request.config_file))
    else:
        config = find_config(start)
    if not request.assume_traced:
        return config
    named = assumptions(dict.fromkeys(request.assume_traced, ()), Path.cwd())
    return replace(config, assume_traced={**named, **config.assume_traced})


def config_files(request: Request) -> list[Path]:
    """Where the configuration of a request may stand, whether or not there is such a file."""
    start = common_folder(request.anchors)
    found = [folder / name for folder in (start, *start.parents) for name in FILE_NAMES]
    if request.config_file is not None:
        found.append(absolute_path(request.config_file))
    return found


def _check_paths(paths: Sequence[Path]) -> None:
    """Stop before anything is linted when a path does not exist.

    Raises:
      UsageError: naming every missing path.
    """
    missing = [str(path) for path in paths if not os.path.lexists(path)]
    if missing:
        raise UsageError(
            f"no such file or folder: {', '.join(missing)} (expected existing files or folders, "
            "or - for standard input)"
        )

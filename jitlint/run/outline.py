"""What is known of a request before any folder is listed: its configuration and its project."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from jitlint.config.configuration import Config, assumptions
from jitlint.config.nearest import Configurations
from jitlint.foundation.records import Record
from jitlint.run.exclusion import Exclusion
from jitlint.run.request import Request
from jitlint.source.file_discovery import absolute_path, common_folder, project_root
from jitlint.usage_errors import UsageError


class Outline(Record):
    """The configuration and the project.

    Args:
      configs: the configurations that hold for its files.
      root: the project root.
      exclude: tells which paths of the project are left out.
    """

    configs: Configurations
    root: Path
    exclude: Exclusion


def outline_of(request: Request) -> Outline:
    """Find the configuration and the project of a request.

    Raises:
      UsageError: a path or the configuration is wrong.
    """
    check_paths(request.paths)
    configs = configurations_of(request)
    root = project_root(request.anchors)
    return Outline(configs, root, Exclusion(request, configs, root))


def configurations_of(request: Request) -> Configurations:
    """The configurations that hold for the files of a request; that of its paths has been read.

    Raises:
      UsageError: it is wrong.
    """
    start = common_folder(request.anchors)
    if request.isolated:
        configs = Configurations.none(start)
    elif request.config_file is not None:
        configs = Configurations.of_file(absolute_path(request.config_file), start)
    else:
        configs = Configurations(start)
    configs.main  # noqa: B018 - so that what is wrong with it stops the run at once
    return configs


def interpretation(request: Request, outline: Outline, files: Iterable[Path]) -> Config:
    """What the configurations say of how code is understood, for all files of a project at once.

    Args:
      request: may say more.
      outline: knows the configurations.
      files: of the project.
    """
    config = outline.configs.whole({path.parent for path in files})
    if not request.assume_traced:
        return config
    named = assumptions(dict.fromkeys(request.assume_traced, ()), Path.cwd())
    return replace(config, assume_traced={**named, **config.assume_traced})


def check_paths(paths: Sequence[Path]) -> None:
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

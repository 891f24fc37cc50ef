"""What a run leaves out, by the configuration and the command line."""

from __future__ import annotations

from pathlib import Path

from jitlint.config.configuration import Config
from jitlint.config.nearest import Configurations
from jitlint.run.request import Request
from jitlint.source.file_discovery import (
    DEFAULT_EXCLUDES,
    Excluder,
    absolute_path,
    is_marked,
    make_excluder,
)


def excluder_of(request: Request, configs: Configurations) -> Excluder:
    """Combine the exclusions of the configurations and the command line, each with its own base."""
    by_config: dict[int, Excluder] = {}

    def excluded(path: Path) -> bool:
        config = configs.of(path)
        exclude = by_config.get(id(config))
        if exclude is None:
            exclude = by_config[id(config)] = _excluder(request, config)
        return exclude(path)

    return excluded


def _excluder(request: Request, config: Config) -> Excluder:
    extended = make_excluder(config.extend_exclude, config.base)
    if request.exclude is not None:
        main = make_excluder((*request.exclude, *request.extend_exclude), Path.cwd())
        return lambda path: main(path) or extended(path)
    patterns = DEFAULT_EXCLUDES if config.exclude is None else config.exclude
    configured = make_excluder((*patterns, *config.extend_exclude), config.base)
    if not request.extend_exclude:
        return configured
    added = make_excluder(request.extend_exclude, Path.cwd())
    return lambda path: configured(path) or added(path)


def refuser_of(root: Path, exclude: Excluder) -> Excluder:
    """The test that ``--force-exclude`` puts to every path that was named.

    Args:
      root: the project root; what it and its parents are called excludes nothing.
      exclude: the test that the walk puts to each folder on its way down.

    Returns:
      A function of a path; true where the path or a folder above it, up to the root, is excluded.
    """
    top = root if is_marked(root) else Path.cwd()

    def refuse(path: Path) -> bool:
        absolute = absolute_path(path)
        if not absolute.is_relative_to(top):
            return exclude(absolute)
        inner = absolute.relative_to(top).parts
        return any(exclude(top.joinpath(*inner[:depth])) for depth in range(1, len(inner) + 1))

    return refuse

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
from jitlint.source.git_ignore import GitIgnore


class Exclusion:
    """What is left out by the configurations and the command line, and what git ignores.

    Args:
      request: may say more than the configurations, or other things.
      configs: say what is left out of which files.
      root: the project root.
    """

    def __init__(self, request: Request, configs: Configurations, root: Path) -> None:
        self._request = request
        self._configs = configs
        self._git = GitIgnore.around(root)
        self._by_config: dict[int, Excluder] = {}

    def __call__(self, path: Path) -> bool:
        """Whether a file or folder is left out where the folder around it is not."""
        config = self._configs.of_bystanders(path.parent)
        exclude = self._by_config.get(id(config))
        if exclude is None:
            exclude = self._by_config[id(config)] = _excluder(self._request, config)
        if exclude(path):
            return True
        wanted = self._request.respect_gitignore
        respected = config.respect_gitignore if wanted is None else wanted
        return respected and self._git is not None and self._git.ignores(path)

    @property
    def files(self) -> list[Path]:
        """The files that were read to know what git ignores."""
        return [] if self._git is None else self._git.read


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
        return leaves_out(exclude, top, absolute)

    return refuse


def leaves_out(exclude: Excluder, top: Path, path: Path) -> bool:
    """Whether a walk leaves out a file, or a folder on the way to it.

    Args:
      exclude: the test that the walk puts to each.
      top: where it begins; not itself tested.
      path: what is below that.
    """
    inner = path.relative_to(top).parts
    return any(exclude(top.joinpath(*inner[:depth])) for depth in range(1, len(inner) + 1))

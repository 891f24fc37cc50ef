"""What git ignores: ``.gitignore`` in every folder, ``.git/info/exclude``, the user's own file."""

from __future__ import annotations

import os
import subprocess
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    #: patterns, and where in the name of a path begins what they are asked about
    _Spec = tuple[int, GitIgnoreSpec]

_NAME: Final = ".gitignore"


class GitIgnore:
    """Tells what is ignored in one working tree.

    A path in a folder that is itself ignored is not: whoever asks about that named the folder, and
    naming it is a decision.

    Args:
      top: the folder that holds ``.git``.
    """

    def __init__(self, top: Path) -> None:
        self.top = top
        #: the files that were read
        self.read: list[Path] = []
        # Every file of a project is asked about: texts are compared much faster than paths.
        self._top = str(top)
        self._below = self._top.rstrip(os.sep) + os.sep
        self._specs: dict[str, list[_Spec]] = {}
        self._folders: dict[str, bool] = {self._top: False}

    @classmethod
    def around(cls, folder: Path) -> GitIgnore | None:
        """That of the working tree that a folder belongs to, None where there is none."""
        for above in (folder, *folder.parents):
            if (above / ".git").exists():
                return cls(above)
        return None

    def ignores(self, path: Path) -> bool:
        """Whether git ignores a file or folder, by its absolute path."""
        name = str(path)
        if not self._holds(name) or self._is_in_ignored(name):
            return False
        found = self._asked(name, "")
        # Most patterns mean the same for files and folders.
        return found if found is self._asked(name, "/") else self._asked(name, _slash(name))

    def _holds(self, path: str) -> bool:
        return path == self._top or path.startswith(self._below)

    def _is_in_ignored(self, path: str) -> bool:
        folder = _folder_of(path)
        known = self._folders.get(folder)
        if known is None:
            known = self._holds(folder) and (
                self._is_in_ignored(folder) or self._asked(folder, "/")
            )
            self._folders[folder] = known
        return known

    def _asked(self, path: str, slash: str) -> bool:
        """What the nearest file with a pattern for a path says; ``slash`` stands behind folders."""
        for start, spec in self._specs_for(_folder_of(path)):
            inner = path[start:] if os.sep == "/" else path[start:].replace(os.sep, "/")
            said = spec.check_file(inner + slash).include
            if said is not None:
                return said
        return False

    def _specs_for(self, folder: str) -> list[_Spec]:
        """The patterns that hold in a folder, the nearest first."""
        found = self._specs.get(folder)
        if found is None:
            outer = self._specs_for(_folder_of(folder)) if self._holds(folder) else None
            found = self._general if outer is None else outer
            own = None if outer is None else self._load(Path(folder, _NAME))
            if own is not None:
                found = [(len(folder.rstrip(os.sep)) + 1, own), *found]
            self._specs[folder] = found
        return found

    @cached_property
    def _general(self) -> list[_Spec]:
        """What holds besides the files in the folders, that of the repository first."""
        found = [self._load(self._exclude_file), self._load(_users_file(self.top))]
        return [(len(self._below), spec) for spec in found if spec is not None]

    @property
    def _exclude_file(self) -> Path:
        if (self.top / ".git").is_dir():
            return self.top / ".git" / "info" / "exclude"
        # Of several working trees, all but the first have a file that leads to the repository.
        said = _git(self.top, "rev-parse", "--git-path", "info/exclude")
        return self.top / (said or ".git/info/exclude")

    def _load(self, path: Path) -> GitIgnoreSpec | None:
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return None
        from pathspec import GitIgnoreSpec

        self.read.append(path)
        try:
            return GitIgnoreSpec.from_lines(lines)
        except ValueError:
            # Git passes over a pattern that is none.
            return GitIgnoreSpec.from_lines(filter(_is_pattern, lines))


def _folder_of(path: str) -> str:
    return os.path.dirname(path)  # noqa: PTH120 - hot


def _slash(path: str) -> str:
    return "/" if os.path.isdir(path) else ""  # noqa: PTH112 - hot


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _users_file(top: Path) -> Path:
    """Where the user keeps what is ignored in every repository."""
    said = _git(top, "config", "--type=path", "--get", "core.excludesFile")
    if said:
        return Path(said)
    folder = os.environ.get("XDG_CONFIG_HOME")
    return (Path(folder) if folder else Path.home() / ".config") / "git" / "ignore"


@cache
def _git(top: Path, *arguments: str) -> str:
    """What git answers, nothing where it is not installed or has no answer."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=top, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""

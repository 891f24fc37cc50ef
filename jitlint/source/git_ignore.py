"""What git ignores: ``.gitignore`` in every folder, ``.git/info/exclude``, the user's own file."""

from __future__ import annotations

import os
import subprocess
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

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
        self._specs: dict[Path, GitIgnoreSpec | None] = {}
        self._folders: dict[Path, bool] = {top: False}

    @classmethod
    def around(cls, folder: Path) -> GitIgnore | None:
        """That of the working tree that a folder belongs to, None where there is none."""
        for above in (folder, *folder.parents):
            if (above / ".git").exists():
                return cls(above)
        return None

    def ignores(self, path: Path) -> bool:
        """Whether git ignores a file or folder, by its absolute path."""
        if not path.is_relative_to(self.top) or self._is_in_ignored(path):
            return False
        found = self._asked(path, "")
        # Most patterns mean the same for files and folders.
        return found if found is self._asked(path, "/") else self._asked(path, _slash(path))

    def _is_in_ignored(self, path: Path) -> bool:
        folder = path.parent
        known = self._folders.get(folder)
        if known is None:
            above = folder == self.top or not folder.is_relative_to(self.top)
            known = not above and (self._is_in_ignored(folder) or self._asked(folder, "/"))
            self._folders[folder] = known
        return known

    def _asked(self, path: Path, slash: str) -> bool:
        """What the nearest file with a pattern for a path says; ``slash`` stands behind folders."""
        folder = path.parent
        while folder.is_relative_to(self.top):
            said = _verdict(self._spec(folder), folder, path, slash)
            if said is not None:
                return said
            folder = folder.parent
        for spec in self._general:
            said = _verdict(spec, self.top, path, slash)
            if said is not None:
                return said
        return False

    def _spec(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = self._load(folder / _NAME)
        return self._specs[folder]

    @cached_property
    def _general(self) -> list[GitIgnoreSpec]:
        """What holds besides the files in the folders, that of the repository first."""
        found = [self._load(self._exclude_file), self._load(_users_file(self.top))]
        return [spec for spec in found if spec is not None]

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


def _slash(path: Path) -> str:
    return "/" if path.is_dir() else ""


def _verdict(spec: GitIgnoreSpec | None, base: Path, path: Path, slash: str) -> bool | None:
    """What some patterns say of a path, None where they say nothing."""
    if spec is None:
        return None
    return spec.check_file(path.relative_to(base).as_posix() + slash).include


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

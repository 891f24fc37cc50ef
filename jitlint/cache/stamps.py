"""What a run read, in a form that tells cheaply whether it would read the same again.

A file is known by its content; its times, size and inode stand for that where they are old enough
that no later change can have left them as they are.  A folder stands for the names in it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Final

from jitlint.cache.folder import digest

#: file systems keep times no finer than this, in nanoseconds
_COARSEST: Final = 2_000_000_000
#: never the times of anything
_UNTRUSTED: Final = (0, 0, 0, 0)

#: times of change of content and of status, size, inode
Status = tuple[int, int, int, int]


def _status(found: os.stat_result) -> Status:
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _trusted(status: Status) -> Status:
    """The times, if what they are the times of is surely older than now."""
    return status if max(status[:2]) + _COARSEST < time.time_ns() else _UNTRUSTED


class Witness:
    """Takes down the files and folders that a run reads."""

    def __init__(self) -> None:
        self._files: dict[Path, tuple[Status, str]] = {}
        self._folders: dict[str, Status] = {}

    def read(self, path: Path) -> bytes:
        """The content of a file, taken down.

        Raises:
          OSError: it cannot be read.
        """
        with path.open("rb") as file:
            status = _trusted(_status(os.fstat(file.fileno())))
            data = file.read()
        self._files[path] = (status, digest(data))
        return data

    def listing(self, folder: str, found: os.stat_result) -> None:
        """A folder is about to be listed."""
        self._folders.setdefault(folder, _trusted(_status(found)))

    def stamps(self) -> dict[str, list[Any]]:
        """All of it by folder: its own times, and for each file its times and what is in it."""
        made: dict[str, list[Any]] = {
            folder: [list(status), {}] for folder, status in self._folders.items()
        }
        for path, (status, content) in self._files.items():
            folder, name = os.path.split(path)
            made.setdefault(folder, [None, {}])[1][name] = [*status, content]
        return made


def unchanged(stamps: dict[str, list[Any]], *, files_only: bool = False) -> bool | None:
    """Whether a run would read what another one read.

    Args:
      stamps: what that one read; the times of files that turn out to be the same are brought up to
        date.
      files_only: the names in the folders are known to be the same.

    Returns:
      True or False; None where the names in a folder may be others, so that somebody has to look.

    Raises:
      ValueError, TypeError, LookupError: these are no stamps.
    """
    stat = os.stat
    if not files_only:
        for folder, (listed, _) in stamps.items():
            if listed is None:
                continue
            try:
                status = _status(stat(folder))
            except OSError:
                return None
            # The size of a folder says nothing, and its inode all that its name does.
            if tuple(listed) != status:
                return None
    for folder, (_, files) in stamps.items():
        prefix = f"{folder}{os.sep}" if folder != os.sep else folder
        for name, stamp in files.items():
            *known, content = stamp
            try:
                status = _status(stat(prefix + name))
                if tuple(known) != status:
                    fresh = Witness()
                    path = Path(prefix + name)
                    if digest(fresh.read(path)) != content:
                        return False
                    files[name] = [*fresh._files[path][0], content]
            except OSError:
                return False
    return True

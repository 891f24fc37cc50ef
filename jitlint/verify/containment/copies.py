"""Copies of a project, each for one job after the other.

A job may change its copy as it likes.  Before the next one is run, what has changed is copied
again: a file whose size, times, mode and number are as they were is the file that was copied, since
no program can choose the time of a file's last change of status.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitlint.verify.containment.inventory import Inventory

#: how a file is known again
Mark = list[int]


class ProjectCopy:
    """The copy of a project in one folder.

    Args:
      inventory: what is copied.
      folder: stands for the inventory's base.
      record: a file that says what was copied, out of reach of the user's code.
    """

    def __init__(self, inventory: Inventory, folder: Path, record: Path) -> None:
        self._inventory = inventory
        self._folder = folder
        self._record = record

    def refresh(self) -> None:
        """Make the copy, or undo what was done to it.

        Raises:
          OSError: there is no room for it.
        """
        if self._record.exists():
            with contextlib.suppress(OSError, ValueError):
                self._restore(json.loads(self._record.read_text(encoding="utf-8")))
                return
            self._record.unlink()
        if self._folder.exists():
            _remove(str(self._folder))
        self._folder.mkdir(parents=True)
        for name in self._inventory.folders:
            (self._folder / name).mkdir(exist_ok=True)
        self._link()
        marks = {name: self._copy(name) for name in self._inventory.files}
        self._write(marks)

    def _restore(self, marks: dict[str, Mark | None]) -> None:
        """Undo what was done."""
        found: set[str] = set()
        stray: list[str] = []
        folders, links = {"", *self._inventory.folders}, dict(self._inventory.links)
        changed = False
        todo = [""]
        while todo:
            name = todo.pop()
            path = self._path(name)
            if stat.S_IMODE(os.stat(path).st_mode) & 0o700 != 0o700:  # noqa: PTH116
                os.chmod(path, 0o700)  # noqa: PTH101 - thousands of them
            with os.scandir(path) as entries:
                for entry in entries:
                    inner = f"{name}{os.sep}{entry.name}" if name else entry.name
                    if entry.is_dir(follow_symlinks=False) and inner in folders:
                        todo.append(inner)
                        found.add(inner)
                    elif _is_link_to(entry.path, links.get(inner)) or (
                        inner in marks and _mark(entry.path) == marks[inner]
                    ):
                        found.add(inner)
                    else:
                        stray.append(entry.path)
        for path in stray:
            _remove(path)
        for name in self._inventory.folders:
            if name not in found:
                os.mkdir(self._path(name))  # noqa: PTH102 - thousands of them
        self._link()
        for name in marks:
            if name not in found and marks[name] is not None:
                marks[name] = self._copy(name)
                changed = True
        if changed:
            self._write(marks)

    def _write(self, marks: dict[str, Mark | None]) -> None:
        """Write what was copied, whole or not at all."""
        draft = self._record.with_suffix(".draft")
        draft.write_text(json.dumps(marks), encoding="utf-8")
        draft.replace(self._record)

    def _link(self) -> None:
        for name, target in self._inventory.links:
            with contextlib.suppress(FileExistsError):
                os.symlink(target, self._path(name))  # noqa: PTH211

    def _copy(self, name: str) -> Mark | None:
        """Copy a file; how it is known again, None if it cannot be read."""
        source, target = self._inventory.absolute(name), self._path(name)
        try:
            with open(source, "rb") as reader:  # noqa: PTH123 - thousands of them
                status = os.fstat(reader.fileno())
                with open(target, "wb") as writer:  # noqa: PTH123
                    _copy_content(reader, writer, status.st_size)
        except (PermissionError, FileNotFoundError):
            return None
        os.chmod(target, stat.S_IMODE(status.st_mode))  # noqa: PTH101
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
        return _mark(target)

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)  # noqa: PTH118 - thousands of them


def _copy_content(reader: Any, writer: Any, size: int) -> None:
    """Copy a file's bytes, shared with the original where the file system can do that."""
    copy_range: Callable[[int, int, int], int] | None = getattr(os, "copy_file_range", None)
    left = size
    while copy_range is not None and left:
        try:
            done = copy_range(reader.fileno(), writer.fileno(), left)
        except OSError:
            break
        if not done:
            break
        left -= done
    if left or not size:
        # The offsets stand behind what was copied.
        shutil.copyfileobj(reader, writer)


def _mark(path: str) -> Mark | None:
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode):
        return None
    return [
        status.st_mode,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        # A second name would be one by which it can be changed later.
        status.st_nlink,
    ]


def _is_link_to(path: str, target: str | None) -> bool:
    if target is None:
        return False
    try:
        return os.readlink(path) == target  # noqa: PTH115 - thousands of them
    except OSError:
        return False


def _remove(path: str) -> None:
    """Remove a file or a folder, whatever its mode."""
    if os.path.islink(path) or not os.path.isdir(path):  # noqa: PTH112, PTH114
        os.unlink(path)  # noqa: PTH108
        return
    for folder, folders, _ in os.walk(path):
        for name in folders:
            inner = os.path.join(folder, name)  # noqa: PTH118
            if not os.path.islink(inner):  # noqa: PTH114
                os.chmod(inner, 0o700)  # noqa: PTH101
    shutil.rmtree(path)
